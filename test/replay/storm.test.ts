import { setTimeout as pause } from 'node:timers/promises';
import { captureKinds } from '../../domain/biometrics/biometrics';
import { confirmations, emailToken, smsToken } from '../../flows/confirmations';
import { smsTokenFlow } from '../../flows/sms-token.flow';
import * as contract from '../../workflows/contract/commands';
import { flowWithEveryKind } from '../support/every-kind.flow';
import { replay } from '../support/replay';
import { normalOrLong } from '../support/sample';
import { type TestTransaction, World } from '../support/world';

/*
 * A storm: many queries (reads of a running workflow) during the commands of a transaction. Upgrade the Temporal SDK only if these tests
 * pass with the new version. In 1.23.0 and later, a query can end a workflow task too early, while a local activity runs. Then no worker
 * can replay the history. See docs/decisions/0001.
 */

// oxlint-disable-next-line node/no-process-env -- selects the number of transactions
const transactionCount = Number(process.env['STORM_TRANSACTIONS'] ?? normalOrLong(15, 24));
/** Keeps two cores busy. With more, tasks would exceed the time limits of the SDK. */
const concurrency = 6;
/** The pause between two queries of a poller. */
const pollEveryMs = 8;
/** The Temporal UI sends this query when an operator opens a workflow. */
const metadataQuery = '__temporal_workflow_metadata';

let world: World;
beforeAll(async () => {
  world = await World.open('temporal');
  // A save takes some milliseconds, as in Postgres, so that a query can arrive during a save.
  world.activities.beforeSaving = () => pause(1 + Math.random() * 3);
});
afterAll(() => world.close());

const shortDelay = () => pause(Math.random() * 15);
const capture = { imageId: 'i', width: 1200, height: 900, sharpness: 200, brightness: 120 };

/**
 * Enters three wrong codes and the right code, on both channels at once. With version 1.23.0 or later of the SDK, most of these histories
 * do not replay.
 */
async function enterCodesOnTwoChannels(transaction: TestTransaction): Promise<void> {
  await Promise.all(
    [smsToken, emailToken].map(async (settings) => {
      await shortDelay();
      await transaction.request(settings);
      const code = transaction.codeOf(settings);
      // An attempt after the right code is rejected.
      const attempt = (value: string) =>
        shortDelay().then(() => transaction.answer(settings, value).catch(() => undefined));
      await Promise.all(['x', 'y', 'z', code].map(attempt));
    }),
  );
}

/** Every kind of confirmation and flow step. No scenario changes the fake activities, because all scenarios share them. */
const scenarios: Record<string, (transaction: TestTransaction) => Promise<unknown>> = {
  'two codes': enterCodesOnTwoChannels,
  ...Object.fromEntries(
    confirmations.map((settings) => [
      settings.name,
      async (transaction: TestTransaction) => {
        await transaction.request(settings);
        if (settings.kind === 'token') await transaction.answer(settings, transaction.codeOfLastMessage(settings));
        else await transaction.reply(transaction.lastMessage().confirmationOrLinkId, { option: 1 });
      },
    ]),
  ),
  'all at once': async (transaction) => {
    await Promise.all([
      ...confirmations.map((settings) => transaction.request(settings)),
      transaction.analyse('scores'),
    ]);
    await Promise.all(transaction.messages().map(({ sendId }) => transaction.sendDeliveryStatus(sendId, 'delivered')));
  },
  biometrics: async (transaction) => {
    await transaction.requestLink('a');
    await transaction.sendPageAction('a', 'mine', { action: 'open' });
    await transaction.sendPageAction('a', 'mine', { action: 'consent' });
    await Promise.all(
      captureKinds.map((kind) => transaction.sendPageAction('a', 'mine', { action: 'capture', kind, capture })),
    );
    await transaction.sendPageAction('a', 'mine', { action: 'submit' });
    await Promise.all([transaction.decide('a', 'Approved'), transaction.request(smsToken)]);
  },
  'flow of a code': async (transaction) => {
    const { runId } = await transaction.startFlow(smsTokenFlow);
    await Promise.all([transaction.answerFlow(runId, 'wrong'), transaction.request(emailToken)]);
    await transaction.answerFlow(runId, transaction.codeOf(smsToken));
  },
  'flow of every kind': async (transaction) => {
    const steps = { ...flowWithEveryKind.steps, pause: { kind: 'wait', seconds: 1, then: 'question' } } as const;
    const { runId } = await transaction.startFlow({ ...flowWithEveryKind, steps });
    await transaction.answerFlow(runId, transaction.codeOf(smsToken));
    await transaction.waitUntil(
      ({ flowRuns }) => flowRuns[0]?.status !== 'Running' || flowRuns[0].awaited?.kind === 'images',
    );
  },
  'flow canceled': async (transaction) => {
    const { runId } = await transaction.startFlow(smsTokenFlow);
    await Promise.all([transaction.cancelFlow(runId), transaction.analyse('ratings')]);
  },
};

/** Returns the number of answered queries. */
async function poll(isOver: () => boolean, query: () => Promise<unknown>): Promise<number> {
  let queryCount = 0;
  while (!isOver()) {
    queryCount += await query().then(
      () => 1,
      () => 0,
    );
    await pause(pollEveryMs);
  }
  return queryCount;
}

/** Half of the `pollers` send queries as the Temporal UI does, half as callers who read the view. */
async function runScenario(
  scenario: (transaction: TestTransaction) => Promise<unknown>,
  pollers: number,
): Promise<{ transaction: TestTransaction; queryCount: number }> {
  const transaction = await world.createTransaction();
  let isOver = false;
  const queries = Array.from({ length: pollers }, (_, index) =>
    poll(
      () => isOver,
      () => (index % 2 === 0 ? transaction.handle.query(metadataQuery) : transaction.readView()),
    ),
  );
  try {
    await world.waitForAssessment(transaction);
    await scenario(transaction);
  } finally {
    isOver = true;
  }
  return { transaction, queryCount: (await Promise.all(queries)).reduce((sum, one) => sum + one, 0) };
}

/** Undefined if the history replays and has no failed workflow task. */
async function errorOf(transaction: TestTransaction): Promise<string | undefined> {
  const history = await transaction.fetchHistory();
  const failedTasks = (history.events ?? []).filter((event) => event.workflowTaskFailedEventAttributes).length;
  if (failedTasks > 0) return `${failedTasks} failed workflow tasks`;
  return replay(history).then(
    () => undefined,
    (error: Error) => error.message,
  );
}

/** Runs the scenarios in turn, and checks the history of each transaction. */
async function runStorm(
  namedScenarios: readonly (readonly [string, (transaction: TestTransaction) => Promise<unknown>])[],
  pollers: number,
) {
  const errors: string[] = [];
  let queries = 0;
  let nextIndex = 0;
  const runNext = async () => {
    while (nextIndex < transactionCount) {
      const [name, scenario] = namedScenarios[nextIndex % namedScenarios.length] ?? ['none', enterCodesOnTwoChannels];
      nextIndex += 1;
      const { transaction, queryCount } = await runScenario(scenario, pollers);
      queries += queryCount;
      const error = await errorOf(transaction);
      if (error !== undefined) errors.push(`${name}: ${error}`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, runNext));
  console.log(`${transactionCount} histories, ${queries} queries by ${pollers} pollers each, ${errors.length} broken`);
  expect(errors).toEqual([]);
  // Without answers, the test would prove nothing.
  expect(queries).toBeGreaterThan(transactionCount);
}

const timeoutMs = 60_000 + transactionCount * 5_000;

test(
  'histories replay after codes on two channels at once, while four pollers send queries',
  () => runStorm([['two codes', enterCodesOnTwoChannels]], 4),
  timeoutMs,
);

test(
  'histories replay after every kind of confirmation and flow step, while two pollers send queries',
  () => runStorm(Object.entries(scenarios), 2),
  timeoutMs,
);

test('the workflow answers queries while codes are sent and entered', async () => {
  const { transaction, queryCount } = await runScenario(enterCodesOnTwoChannels, 4);
  expect(queryCount).toBeGreaterThan(0);
  expect(await transaction.handle.query(contract.view, await world.now())).toMatchObject({
    smsToken: { status: 'Valid' },
  });
});
