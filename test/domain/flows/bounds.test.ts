import { allowanceSeconds, boundsOf, boundsOfStep, flowLimits } from '../../../domain/flows/bounds';
import { assert, constantFrom, dictionary, integer, nat, option, property, record } from 'fast-check';
import { checkFlow } from '../../../domain/flows/check-flow';
import type { FlowDefinition, Step } from '../../../domain/flows/definition';
import { templates } from '../../../flows/templates';
import { validFlow } from '../../support/flow-changes';
import { cpuTimeMs } from '../../support/cpu-time';

const waitStep = (seconds: number, then: string): Step => ({ kind: 'wait', seconds, then });
const endStep: Step = { kind: 'outcome', outcome: 'Done' };
const buildFlow = (steps: Record<string, Step>): FlowDefinition => ({ name: 'a-flow', version: 1, start: 'a', steps });
const secondsOf = (steps: Record<string, Step>) => boundsOf(buildFlow(steps)).seconds;

test('the time of a path is the sum of the times of its steps, plus an allowance for each step', () => {
  expect(secondsOf({ a: waitStep(100, 'b'), b: waitStep(20, 'z'), z: endStep })).toBe(120 + 3 * allowanceSeconds);
});

test('the bound of the time comes from the longest path, and the bound of the messages from the path with the most messages', () => {
  const code: Step = {
    kind: 'confirm',
    channel: 'sms',
    ask: 'token',
    template: 'sms-token',
    expiresAfterSeconds: 300,
    sendLimit: 3,
    resendAfterSeconds: 60,
    attemptLimit: 5,
    codeDigits: 6,
    resend: 'reuse',
    exits: { Valid: 'z', Expired: 'z', Blocked: 'z', Failed: 'z' },
  };
  const decide: Step = { kind: 'decide', rules: [{ when: 'score < 40', then: 'long' }], else: 'code' };
  expect(boundsOf(buildFlow({ a: decide, code, long: waitStep(5_000, 'z'), z: endStep }))).toEqual({
    seconds: 5_000 + 3 * allowanceSeconds,
    sends: 3,
    stepsEntered: 3,
  });
});

test('the bounds count a step once for each allowed visit, and the step after the last visit once', () => {
  const a: Step = { ...waitStep(10, 'b'), visits: 3, exhausted: 'late' } as Step;
  expect(secondsOf({ a, b: waitStep(1, 'a'), late: waitStep(7, 'z'), z: endStep })).toBe(
    3 * 10 + 3 * 1 + 7 + 8 * allowanceSeconds,
  );
});

test('a flow with every kind of step has bounds', () => {
  // Two codes with a wait after each, a second factor, biometrics and notify. Each 60 is the pause after an earlier message.
  const secondsOfSteps = 2 * (300 + 60 + 600) + (3_600 + 60) + (86_400 + 172_800 + 60) + 3_600;
  expect(boundsOf(validFlow)).toEqual({
    seconds: secondsOfSteps + 9 * allowanceSeconds,
    sends: 2 + 2 + 2 + 1,
    stepsEntered: 9,
  });
});

test('a step with rotated codes may last as long as the lifetimes of all its codes together', () => {
  const { code } = validFlow.steps;
  const lifetimeOf = (changes: object) => boundsOfStep({ ...code, sendLimit: 3, ...changes } as Step).seconds;
  expect(lifetimeOf({ resend: 'rotate' })).toBe(3 * 300 + 60 + allowanceSeconds);
  expect(lifetimeOf({ resend: 'reuse' })).toBe(300 + 60 + allowanceSeconds);
});

test('a link that the service sends waits for the pause after the previous message, and a link that the caller sends does not', () => {
  const { pictures } = validFlow.steps;
  const [serviceSeconds, callerSeconds] = [['email'], []].map(
    (channels) => boundsOfStep({ ...pictures, channels } as Step).seconds,
  );
  expect((serviceSeconds ?? 0) - (callerSeconds ?? 0)).toBe(60);
});

test('an endless loop has no bounds, and a missing step adds nothing', () => {
  expect(boundsOf(buildFlow({ a: waitStep(1, 'a') }))).toEqual({
    seconds: Infinity,
    sends: Infinity,
    stepsEntered: Infinity,
  });
  expect(secondsOf({ a: waitStep(1, 'nowhere') })).toBe(1 + allowanceSeconds);
});

test('a path with too many steps for a recursive function is followed', () => {
  const steps = Object.fromEntries(
    Array.from({ length: flowLimits.stepVisitCombinations - 1 }, (_, index): [string, Step] => [
      `s${index}`,
      waitStep(1, `s${index + 1}`),
    ]),
  );
  expect(boundsOf({ start: 's0', steps }).seconds).toBe(
    (flowLimits.stepVisitCombinations - 1) * (1 + allowanceSeconds),
  );
});

test('the bounds of the most complex flow of forty steps are found quickly', () => {
  const steps = Object.fromEntries(
    Array.from({ length: 40 }, (_, index): [string, Step] => [
      `s${index}`,
      {
        kind: 'decide',
        rules: Array.from({ length: 20 }, (__, to) => ({ when: 'score < 1', then: `s${(index + to + 1) % 40}` })),
        else: 'z',
        visits: 5,
        exhausted: index === 39 ? 'z' : `s${index + 1}`,
      },
    ]),
  );
  const startedAt = cpuTimeMs();
  expect(boundsOf({ start: 's0', steps: { ...steps, z: endStep } })).toEqual({
    seconds: Infinity,
    sends: Infinity,
    stepsEntered: Infinity,
  });
  expect(cpuTimeMs() - startedAt).toBeLessThan(1_000);
});

const stepNames = ['a', 'b', 'c', 'd', 'z'];
const anyStepName = constantFrom(...stepNames);
/** Waits and decisions, some with loops. */
const anyFlowWithChoices = record({
  waits: dictionary(
    anyStepName,
    record({ then: anyStepName, seconds: integer({ min: 1, max: 9 }), visits: option(nat(3)), exhausted: anyStepName }),
    {
      maxKeys: 4,
    },
  ),
  decisions: dictionary(
    anyStepName,
    record({ then: anyStepName, else: anyStepName, visits: option(nat(3)), exhausted: anyStepName }),
    {
      maxKeys: 3,
    },
  ),
}).map(({ waits, decisions }) => {
  const visitFields = ({ visits, exhausted }: { visits: number | null; exhausted: string }) =>
    visits === null ? {} : { visits: visits + 1, exhausted };
  const steps: Record<string, Step> = { a: waitStep(1, 'z') };
  for (const [key, entry] of Object.entries(waits))
    steps[key] = { ...waitStep(entry.seconds, entry.then), ...visitFields(entry) };
  for (const [key, entry] of Object.entries(decisions))
    steps[key] = {
      kind: 'decide',
      rules: [{ when: 'score < 1', then: entry.then }],
      else: entry.else,
      ...visitFields(entry),
    };
  return { ...buildFlow({ ...steps, z: endStep }) };
});

/** The seconds of a flow run until its outcome, if any. `choices`: whether each decision takes its first rule. */
function followFlow({ start, steps }: FlowDefinition, choices: readonly boolean[]): number | undefined {
  const visits = new Map<string, number>();
  let [stepName, elapsedSeconds] = [start, 0];
  for (const takesFirst of [...choices, ...Array.from({ length: 400 }, () => true)]) {
    const step = steps[stepName];
    if (!step) return undefined;
    if (step.kind === 'outcome') return elapsedSeconds + allowanceSeconds;
    const visitCount = visits.get(stepName) ?? 0;
    if (step.visits !== undefined && visitCount >= step.visits) {
      stepName = step.exhausted ?? '';
      continue;
    }
    visits.set(stepName, visitCount + 1);
    elapsedSeconds += allowanceSeconds + (step.kind === 'wait' ? step.seconds : 0);
    if (step.kind === 'wait') stepName = step.then;
    else if (step.kind === 'decide') stepName = (takesFirst ? step.rules[0]?.then : undefined) ?? step.else;
  }
  return undefined;
}

test('an accepted flow ends within its bounds, for any decisions', () => {
  let acceptedFlows = 0;
  assert(
    property(anyFlowWithChoices, nat(), (flow, seed) => {
      const issues = checkFlow(flow, { templates }).filter(({ code }) => code !== 'step-unreached');
      const bounds = boundsOf(flow);
      if (issues.length > 0) return;
      acceptedFlows += 1;
      expect(bounds.seconds).toBeLessThan(Infinity);
      for (let round = 0; round < 8; round += 1) {
        const choices = Array.from({ length: 100 }, (_, index) => ((seed >>> (index % 24)) + round * index) % 3 > 0);
        expect(followFlow(flow, choices)).toBeLessThanOrEqual(bounds.seconds);
      }
    }),
    { numRuns: 2_000 },
  );
  expect(acceptedFlows).toBeGreaterThan(200);
});
