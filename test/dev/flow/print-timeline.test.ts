import { makeColours } from '../../../dev/flow/colours';
import { compareTimeline } from '../../../dev/flow/compare-timeline';
import { simulateOnPaper } from '../../support/paper/simulate-on-paper';
import { printTimeline } from '../../../dev/flow/print-timeline';
import { readPersonOption } from '../../../dev/flow/scenario';
import { phoneOnlyFlow } from '../../../flows/examples/phone-only.flow';
import { stepUpFlow } from '../../../flows/examples/step-up.flow';
import { templates } from '../../../flows/templates';

const paper = simulateOnPaper({ templates, decide: () => false });
const run = (person: string) => paper.run(phoneOnlyFlow, readPersonOption(person));

test('a timeline shows moments, messages in each language, exits and the outcome', async () => {
  const timeline = await run('ignores sms; after 10s enters a wrong code by sms; after 1m enters the code by sms');
  expect(printTimeline(timeline, makeColours(false))).toMatchSnapshot();
});

test('the link of pictures is shown, and the event that the caller is told', async () => {
  const timeline = await paper.run(stepUpFlow, readPersonOption('submits pictures; is approved after 1h'));
  expect(printTimeline(timeline, makeColours(false))).toMatchSnapshot();
});

test('a run that did not end says so', () => {
  const timeline = { flow: 'a', version: 1, entries: [], path: [], seconds: 0, sends: 0, neverCame: [] };
  expect(printTimeline(timeline, makeColours(false))).toBe('a 1\n\nIt did not end.\n');
  expect(compareTimeline(timeline, { outcome: 'Confirmed' })).toEqual([
    'expected the outcome Confirmed; it did not end',
  ]);
});

test('colours change nothing but colours', async () => {
  const timeline = await run('enters the code by sms');
  const escapes = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');
  const coloured = printTimeline(timeline, makeColours(true));
  expect(coloured).toMatch(escapes);
  expect(coloured.replace(escapes, '')).toBe(printTimeline(timeline, makeColours(false)));
});

test('each thing that is not as expected is told', async () => {
  const timeline = await run('after 4m enters the code by sms');
  expect(compareTimeline(timeline, { outcome: 'Confirmed', path: ['code', 'confirmed'], sends: 1 })).toEqual([]);
  expect(
    compareTimeline(timeline, { outcome: 'Expired', path: ['code', 'expired'], withinSeconds: 60, sends: 2 }),
  ).toEqual([
    'expected the outcome Expired; it ended as Confirmed',
    'expected the path code > expired; it went code > confirmed',
    'expected an end within 1 min; it took 4 min',
    'expected 2 messages; it sent 1',
  ]);
});
