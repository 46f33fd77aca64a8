import type { FlowDefinition, Step } from '../../domain/flows/definition';
import { flows } from '../../flows';
import { searchAttributes } from '../../workflows/contract/start';
import { person } from '../support/build';
import { flowWithEveryKind } from '../support/every-kind.flow';
import { FlowDriver } from '../support/flow-driver';
import { type FlowPath, pathsOf } from '../support/flow-paths';
import { rejectionOf } from '../support/rejection-of';
import { World } from '../support/world';

/** The flows in flows/examples are left out, because their scenarios test all their exits and paths. */
const testedFlows: readonly FlowDefinition[] = [...flows, flowWithEveryKind];

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

function expectedAwaited(step: Step | undefined): object {
  if (step?.kind === 'confirm') return { kind: step.ask, channel: step.channel, sendsLeft: step.sendLimit - 1 };
  return { kind: step?.kind === 'biometrics' ? 'images' : 'time' };
}

/** The visits of the shortest path to this step. */
const findPathTo = (flow: FlowDefinition, name: string): FlowPath['visits'] =>
  name === flow.start ? [] : (pathsOf(flow).find(({ nextStep }) => nextStep === name)?.visits ?? []);

/** What operators see: the search attributes and the panel. */
async function readOperatorView({ transaction: { handle } }: FlowDriver) {
  const { typedSearchAttributes } = await handle.describe();
  const names = ['flow', 'flowVersion', 'flowStep', 'flowOutcome'] as const;
  const attributes = Object.fromEntries(
    names.map((name) => [name, typedSearchAttributes.get(searchAttributes[name]) ?? null]),
  );
  const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  return { attributes, panel: currentDetails };
}

/** The texts (summaries) that Temporal shows beside timers, activities and local activities. */
async function readSummaries({ transaction }: FlowDriver): Promise<string[]> {
  const { events } = await transaction.fetchHistory();
  const namedEvents = (events ?? []).filter(
    ({ timerStartedEventAttributes, activityTaskScheduledEventAttributes, markerRecordedEventAttributes }) =>
      timerStartedEventAttributes ??
      activityTaskScheduledEventAttributes ??
      markerRecordedEventAttributes?.markerName === 'core_local_activity',
  );
  return namedEvents.map(({ userMetadata }) => Buffer.from(userMetadata?.summary?.data ?? []).toString());
}

/** Operators must not see these values. */
const personalData = [
  person.name ?? '',
  person.document,
  person.email ?? '',
  String(person.phone?.number),
  person.address?.zipCode ?? '',
];

describe.each(testedFlows.map((flow) => [flow.name, flow] as const))('%s', (_, flow) => {
  const steps = Object.entries(flow.steps);
  const waitingSteps = steps.filter(([, { kind }]) => kind === 'confirm' || kind === 'biometrics');

  test('a flow run begins in the start step, and has the version of the flow', async () => {
    const { run, transaction } = await FlowDriver.start(world, flow);
    expect(run).toMatchObject({ flow: flow.name, version: flow.version, status: 'Running' });
    expect(run.path[0]?.step).toBe(flow.start);
    expect((await transaction.readState()).runs).toHaveLength(1);
  });

  test.each(waitingSteps)(
    'in step %s, the flow run shows what it waits for, and an invalid answer does not end the step',
    async (name, step) => {
      const driver = await FlowDriver.start(world, flow, findPathTo(flow, name));
      await driver.followPath();
      const run = await driver.waitUntilAwaiting();
      expect(run).toMatchObject({ status: 'Running', step: name, awaited: expectedAwaited(step) });
      if (step.kind !== 'confirm') return;
      const { transaction } = driver;
      if (step.ask === 'token') {
        const { answer } = await transaction.answerFlow(run.runId, driver.wrongCode);
        expect(answer).toMatchObject({ status: 'Invalid', attemptsRemaining: (step.attemptLimit ?? 0) - 1 });
      } else {
        const { confirmationOrLinkId: confirmationId } = transaction.lastMessage();
        expect(await rejectionOf(transaction.reply(confirmationId, { text: 'quem é?' }))).toMatchObject({
          type: 'ReplyRefused',
        });
        expect(await rejectionOf(transaction.answerFlow(run.runId, '123456'))).toMatchObject({
          type: 'NothingToAnswer',
        });
      }
      expect(await driver.readRun()).toMatchObject({ status: 'Running', path: run.path });
      const type = step.sendLimit === 1 ? 'SendLimitReached' : 'ResendTooSoon';
      expect(await rejectionOf(transaction.resendFlow(run.runId))).toMatchObject({ type });
    },
  );

  test.each(pathsOf(flow).map((flowPath) => [flowPath.coveredExit, flowPath.nextStep, flowPath] as const))(
    'the exit %s leads to the step %s',
    async (_coveredExit, to, flowPath) => {
      const driver = await FlowDriver.start(world, flow, flowPath.visits);
      await driver.followPath();
      const { path, status, outcome } = await driver.readRun();
      const visits = path.map(({ step, exit }) => [step, exit]);
      expect(visits.slice(0, flowPath.visits.length)).toEqual(flowPath.visits);
      expect(visits[flowPath.visits.length]?.[0]).toBe(to);
      const reachedStep = flow.steps[to];
      if (reachedStep?.kind === 'outcome')
        expect({ status, outcome }).toEqual({ status: 'Completed', outcome: reachedStep.outcome });
    },
  );

  test('during a flow run, a second run of this flow is rejected, and so is another link if the flow has a biometrics step', async () => {
    const { transaction, run } = await FlowDriver.start(world, flow);
    expect(await rejectionOf(transaction.startFlow(flow))).toMatchObject({ type: 'FlowRunning' });
    if (waitingSteps.some(([, { kind }]) => kind === 'biometrics'))
      expect(await rejectionOf(transaction.requestLink('other'))).toMatchObject({ type: 'FlowRunning' });
    expect((await transaction.readState()).runs?.map(({ id }) => id)).toEqual([run.runId]);
  });

  test('a flow run ends at once when a caller cancels it, and the flow can be started again', async () => {
    const driver = await FlowDriver.start(world, flow);
    const { runId, step } = await driver.waitUntilAwaiting();
    expect(await driver.transaction.cancelFlow(runId)).toMatchObject({ status: 'Canceled', step });
    expect((await driver.readRun()).path.at(-1)).toMatchObject({ step, exit: 'Canceled' });
    expect((await readOperatorView(driver)).attributes).toMatchObject({ flowStep: null, flowOutcome: 'Canceled' });
    expect(await rejectionOf(driver.transaction.cancelFlow(runId))).toMatchObject({ type: 'RunEnded' });
    expect((await driver.transaction.startFlow(flow)).status).toBe('Running');
  });

  test('operators see the flow, version, step and outcome of a flow run, and no personal data', async () => {
    const pathToOutcome = pathsOf(flow).find(({ nextStep }) => flow.steps[nextStep]?.kind === 'outcome');
    const driver = await FlowDriver.start(world, flow, pathToOutcome?.visits);
    const { step } = await driver.waitUntilAwaiting();
    const [before, flowAttributes] = [
      await readOperatorView(driver),
      { flow: flow.name, flowVersion: String(flow.version) },
    ];
    expect(before.attributes).toEqual({ ...flowAttributes, flowStep: step, flowOutcome: null });
    expect(before.panel).toContain(`- flow ${flow.name} ${flow.version}: **Running**, ${flow.start} `);
    expect(before.panel).toContain(`${step} `);
    const { code } = driver;
    await driver.followPath();
    const after = await readOperatorView(driver);
    const { outcome } = await driver.readRun();
    expect(after.attributes).toEqual({ ...flowAttributes, flowStep: null, flowOutcome: outcome });
    expect(after.panel).toContain(`- flow ${flow.name} ${flow.version}: **${outcome}**, `);
    const summaries = await readSummaries(driver);
    expect(summaries.filter((name) => name === '')).toEqual([]);
    for (const { step: visitedStep } of (await driver.readRun()).path)
      if (flow.steps[visitedStep]?.kind !== 'outcome')
        expect(summaries).toContainEqual(expect.stringContaining(`${flow.name}/${visitedStep}`));
    const serialized = JSON.stringify([before, after, summaries]);
    for (const text of [...personalData, code]) expect(serialized).not.toContain(text);
  });
});
