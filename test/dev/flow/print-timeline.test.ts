import { makeColors, formatTimeline } from '../../../dev/flow/print';
import { answerSimulation } from '../../../dev/flow/simulator/answer-simulation';
import { buildPauseFlow } from '../../api/flows/flow-world';
import { compareTimeline } from '../../../dev/flow/timeline';
import type { Timeline } from '../../../dev/flow/timeline';

const timeline: Timeline = {
  flowName: 'phone-only',
  version: 1,
  entries: [
    { atSeconds: 0, step: 'code', description: 'sends by SMS, 1 of 2' },
    { atSeconds: 240, step: 'code', description: 'the person enters the code:', exit: 'Valid', to: 'confirmed' },
    { atSeconds: 240, step: 'confirmed', description: 'ends as Confirmed' },
  ],
  path: ['code', 'confirmed'],
  outcome: 'Confirmed',
  seconds: 240,
  sends: 1,
  unusedScriptedSteps: [],
  rejectedScriptedSteps: [],
};

test('a timeline without an outcome says that the flow run did not end', () => {
  const { outcome: _outcome, ...unfinished } = timeline;
  expect(formatTimeline(unfinished, makeColors(false))).toMatch(/\n\nThe run did not end\.\n$/);
  expect(compareTimeline(unfinished, { outcome: 'Confirmed' })).toEqual([
    'expected outcome Confirmed, the run did not end',
  ]);
});

test('a timeline has the same text with and without colors', () => {
  const escapes = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');
  const coloredText = formatTimeline(timeline, makeColors(true));
  expect(coloredText).toMatch(escapes);
  expect(coloredText.replace(escapes, '')).toBe(formatTimeline(timeline, makeColors(false)));
});

test('a comparison has every difference from the expected result', () => {
  expect(compareTimeline(timeline, { outcome: 'Confirmed', path: ['code', 'confirmed'], sends: 1 })).toEqual([]);
  expect(
    compareTimeline(timeline, { outcome: 'Expired', path: ['code', 'expired'], withinSeconds: 60, sends: 2 }),
  ).toEqual([
    'expected outcome Expired, got Confirmed',
    'expected path code > expired, got code > confirmed',
    'expected at most 1 min, took 4 min',
    'expected 2 messages, sent 1',
  ]);
});

test('a scenario whose scripted step was rejected or not used differs from its expectation', () => {
  const run = { ...timeline, unusedScriptedSteps: ['ignores sms'], rejectedScriptedSteps: ['asks again by sms'] };
  expect(compareTimeline(run, { outcome: 'Confirmed' })).toEqual([
    'unused scripted steps: ignores sms',
    'rejected scripted steps: asks again by sms',
  ]);
  expect(formatTimeline(run, makeColors(false))).toMatch(
    /\nUnused scripted steps: ignores sms\.\nRejected scripted steps: asks again by sms\.\n$/,
  );
});

test('a run is compared only if something is expected of it', async () => {
  const text = JSON.stringify(buildPauseFlow(60));
  const simulation = { run: async () => timeline };
  expect(await answerSimulation(simulation, { name: 'a', text, person: 'ignores sms' })).toEqual({
    runs: [{ name: '--person', timeline }],
  });
  const scenarios = '- { name: one, person: [], expect: { outcome: Done } }';
  expect(await answerSimulation(simulation, { name: 'a', text, scenarios })).toEqual({
    runs: [{ name: 'one', timeline, differences: ['expected outcome Done, got Confirmed'] }],
  });
});
