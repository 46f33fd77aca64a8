import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { uuidV7 } from '../../api/transactions/proposed-ids';
import { localEnvironment } from '../../dev/stack/local-secrets';
import type { TransactionState } from '../../domain/transactions/state';
import { readKeysConfig } from '../../platform/config';
import { TransactionKeys } from '../../platform/keys/data-keys';
import { openKeys } from '../../platform/keys/root-secret';
import { createServiceKeys } from '../../platform/keys/service-keys';
import { createLogger } from '../../platform/logger';
import { openPool } from '../../platform/postgres/postgres';
import { asTenant } from '../../platform/postgres/tenant-scope';
import { createDataConverter } from '../../platform/temporal/data-converter';
import { circleOfTenant, observationOf } from '../../store/transactions/observed-values';
import { createRecord, findState } from '../../store/transactions/transactions.sql';
import { dataOwnerOf, workflowType } from '../../workflows/contract/ids';
import { resumeOptions } from '../../workflows/contract/start';
import { startProgressBar } from '../report/progress';
import type { BenchCaller, BenchTransaction } from '../worker/bench-caller';
import { spreadPhoneNumber } from '../worker/spread-phone-number';

const tenant = 'local';
const taskQueue = 'countersign';
/** Parallel starts: enough to keep two cores busy. */
const concurrency = 16;
/** The phones of these transactions begin here, so that no transaction of a caller has one of them. */
const firstPhone = 5_000_000;

const expiredSql = `select count(*)::int as count, max(changed_at) as last from transactions where status = 'Expired'`;
const pollMs = 500;
const [startsPerCheck, waitingMax] = [20, 100];

/** Transactions that wait for a code, which no caller has created one by one. */
export interface OpenTransactions {
  /** Adds transactions whose codes expire at `expiresAt`. Each has a record and a workflow whose timers are set when the promise resolves. */
  add(count: number, expiresAt: (index: number) => Date, output: NodeJS.WriteStream): Promise<void>;
  readonly count: number;
  /** One of them at random. */
  pick(): BenchTransaction;
  /** Waits until the codes of this many transactions have expired. Returns when the last one did. */
  waitUntilExpired(count: number): Promise<Date>;
  close(): Promise<void>;
}

/**
 * Copies a transaction with a code that a caller has created. The copies continue from their records, as after an idle time, so they can be
 * added ten times as fast as through the API.
 */
export async function openTransactionsOn(caller: BenchCaller): Promise<OpenTransactions> {
  const { addresses, dataDir } = caller.stack;
  const sample = await caller.createTransaction();
  await caller.requestSmsToken(sample);
  const config = readKeysConfig(localEnvironment(dataDir));
  const pool = openPool(config.DATABASE_URL, createLogger('bench', 'silent'), concurrency);
  const keys = await openKeys(pool, createServiceKeys(config.SERVICE_KEY, config.OTHER_SERVICE_KEYS));
  const transactionKeys = new TransactionKeys(pool, keys.serviceKeys);
  const connection = await Connection.connect({ address: addresses.temporal });
  const dataConverter = createDataConverter({ transactionKeys, ownerOf: dataOwnerOf, encrypts: true });
  const client = new Client({ connection, namespace: 'default', dataConverter });
  const sampleId = sample.path.split('/').at(-1) ?? '';
  const state = await asTenant(tenant, () => findState(pool, transactionKeys, { tenant, id: sampleId }));
  if (!state) throw new Error('The sample has no record.');
  const added: BenchTransaction[] = [];

  // Workflows can be started faster than the worker runs their first tasks. The dev server reads a long backlog slowly, so it stays short.
  const countWaitingTasks = async () => {
    const { stats } = await connection.workflowService.describeTaskQueue({
      namespace: 'default',
      taskQueue: { name: taskQueue },
      taskQueueType: temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
      reportStats: true,
    });
    return Number(stats?.approximateBacklogCount ?? 0);
  };
  const addOne = async (expiresAt: Date) => {
    const phone = { countryCode: 55, areaCode: 11, number: spreadPhoneNumber(firstPhone + added.length) };
    const id = uuidV7();
    added.push({ path: `/v1/transaction/${id}`, phone: `+5511${phone.number}` });
    const copy = copyOf(state, id, phone, expiresAt);
    await createRecord(pool, transactionKeys, copy, observationOf(keys, copy, circleOfTenant(tenant)));
    await client.workflow.start(workflowType, resumeOptions(copy, taskQueue));
  };
  return {
    async add(count, expiresAt, output) {
      const updateProgress = startProgressBar(output, 'Opened', count);
      let started = 0;
      let ended = 0;
      const addRemaining = async () => {
        while (started < count) {
          started += 1;
          await addOne(expiresAt(started));
          updateProgress((ended += 1));
          if (ended % startsPerCheck === 0) while ((await countWaitingTasks()) > waitingMax) await sleep(pollMs);
        }
      };
      await asTenant(tenant, () => Promise.all(Array.from({ length: concurrency }, addRemaining)));
      while ((await countWaitingTasks()) > 0) await sleep(pollMs);
    },
    get count() {
      return added.length;
    },
    pick: () => added[Math.floor(Math.random() * added.length)] ?? sample,
    async waitUntilExpired(count) {
      for (;;) {
        const { rows } = await asTenant(tenant, () => pool.query<{ count: number; last: Date }>(expiredSql));
        if (rows[0] && rows[0].count >= count) return rows[0].last;
        await sleep(pollMs);
      }
    },
    async close() {
      await connection.close();
      await pool.end();
    },
  };
}

function copyOf(
  state: TransactionState,
  id: string,
  phone: { countryCode: number; areaCode: number; number: number },
  expiresAt: Date,
): TransactionState {
  const ids = new Map<string, string>(
    [state.id, ...state.confirmations.map((one) => one.id)].map((one) => [one, randomUUID()] as const),
  );
  ids.set(state.id, id);
  const text = [...ids].reduce((json, [from, to]) => json.replaceAll(from, to), JSON.stringify(state));
  const copy = JSON.parse(text) as TransactionState;
  const now = new Date().toISOString();
  const confirmations = copy.confirmations.map((one) => ({ ...one, expiresAt: expiresAt.toISOString() }));
  return { ...copy, input: { ...copy.input, phone }, createdAt: now, changedAt: now, confirmations };
}
