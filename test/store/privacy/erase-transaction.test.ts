import { smsTokenFlow } from '../../../flows/sms-token.flow';
import { planOf } from '../../support/flow-plan';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createExpiry } from '../../../activities/privacy/erase-expired';
import { createPostgresLinkGraph } from '../../../scoring/postgres-link-graph';
import type { TransactionState } from '../../../domain/transactions/state';
import { readAuditEntries } from '../../../platform/audit';
import { findOwnersByDocument, isErased } from '../../../platform/keys/data-keys.sql';
import { createSealedImages, ImageErasedError } from '../../../images/sealed-images';
import { createUploads } from '../../../images/uploads';
import { DataErasedError, TransactionKeys } from '../../../platform/keys/data-keys';
import { createLogger } from '../../../platform/logger';
import { inTransaction, openPool, type Pool } from '../../../platform/postgres/postgres';
import { type NewSend, reserveSend, type SendLimits } from '../../../store/messages/sends/reserve-send.sql';
import { acceptSend, adoptMessage } from '../../../store/messages/sends/send-states.sql';
import { saveStatusReports } from '../../../store/messages/sends/status-reports.sql';
import {
  deleteErasedSends,
  findNewestOpenSend,
  hasUnknownProviderId,
} from '../../../store/messages/sends/sent-messages.sql';
import { claimDispatch } from '../../../store/messages/sends/send-states.sql';
import {
  eraseTransaction,
  type Erasure,
  type ErasureDependencies,
  findByDocument,
} from '../../../store/privacy/erase-transaction';
import { createErasureLog } from '../../../store/privacy/erasure-log';
import { circleOfTenant, hashDocument, observationOf } from '../../../store/transactions/observed-values';
import { createRecord, findState, saveState } from '../../../store/transactions/transactions.sql';
import { createMemoryStore } from '../../images/memory-store';
import { jpeg } from '../../images/images-world';
import { buildState, person, testKeys } from '../../support/build';
import { LogLines } from '../../support/log-lines';
import { addKey, createWithState } from '../../support/new-record';
import { startPostgres, type TestPostgres } from '../../support/postgres';

const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();

let postgres: TestPostgres;
let pool: Pool;
let keys: TransactionKeys;
/** Transactions whose workflows were ended. */
let ended: string[];
let dependencies: ErasureDependencies;
const memory = createMemoryStore();
const log = createMemoryStore();
const logger = createLogger('test', 'silent');
beforeAll(async () => {
  postgres = await startPostgres();
});
beforeEach(async () => {
  pool = openPool(await postgres.createDatabase(), logger, 5);
  keys = new TransactionKeys(pool, testKeys.serviceKeys);
  // A late end of an earlier test must not count for this test.
  const endedNow: string[] = [];
  ended = endedNow;
  dependencies = {
    pool,
    transactionKeys: keys,
    erasureLog: createErasureLog(log.store),
    endWorkflow: async ({ id }) => {
      endedNow.push(id);
      return false;
    },
  };
});
afterEach(() => pool.end());
afterAll(() => postgres.stop());

/** A saved transaction with an observation, an image, and a send whose outcome is unknown. */
async function createTransaction(tenant = 'local', changedAt = daysAgo(0)): Promise<TransactionState> {
  const state = { ...buildState(), tenant, version: 1, changedAt };
  await createWithState(pool, keys, state, hashDocument(testKeys, tenant, state.input));
  await createPostgresLinkGraph(pool, testKeys).addAndFindRelated(state, 'shared', 30);
  const image = {
    tenant,
    owner: state.id,
    linkId: 'link',
    kind: 'selfie',
    jpeg,
    deleteAfter: new Date(Date.now() + dayMs),
  };
  await createSealedImages(pool, testKeys, memory.store).save(image);
  await pool.query(
    `insert into sends (send_id, tenant, transaction_id, confirmation_or_link_id, settings_name, channel, kind, destination, expires_at, prefix, state, provider_id)
     values ($1, $2, $1, '', '', 'sms', 'secondFactor', 'd', now() + interval '1 day', '+55119', 'dispatching', 'SM' || $1)`,
    [state.id, tenant],
  );
  return state;
}

const countRows = async (table: string, column: string, id: string) =>
  (await pool.query(`select 1 from ${table} where ${column} = $1`, [id])).rows.length;

const read = (state: TransactionState) => findState(pool, keys, state);

async function erase(state: TransactionState): Promise<Erasure> {
  const erasure = await eraseTransaction(dependencies, state, 'client-1');
  if (!erasure) throw new Error(`The transaction ${state.id} is unknown.`);
  return erasure;
}

test('an erasure leaves only its time and the audit log', async () => {
  const state = await createTransaction();
  const other = await createTransaction();
  const { erasedAt, transactionId } = await erase(state);
  expect(transactionId).toBe(state.id);
  await expect(read(state)).rejects.toThrow(DataErasedError);
  await expect(keys.get({ tenant: state.tenant, owner: state.id })).rejects.toThrow(DataErasedError);
  expect(await countRows('data_keys', 'owner', state.id)).toBe(0);
  expect(await countRows('observations', 'transaction_id', state.id)).toBe(0);
  const { rows } = await pool.query('select sealed, erased_at from transactions where id = $1', [state.id]);
  expect(rows).toEqual([{ sealed: null, erased_at: new Date(erasedAt) }]);
  const sends = await pool.query('select transaction_id as id, prefix, provider_id from sends order by created_at');
  expect(sends.rows).toEqual([
    { id: state.id, prefix: null, provider_id: null },
    { id: other.id, prefix: '+55119', provider_id: `SM${other.id}` },
  ]);
  expect(new Set(ended)).toEqual(new Set([state.id]));
  const entries = await readAuditEntries(pool, { tenant: state.tenant, owner: state.id }, 10);
  expect(entries.map(({ actor, action }) => [actor, action])).toEqual([
    ['client-1', 'transaction_erased'],
    ['client-1', 'images_erased'],
  ]);
  expect(await read(other)).toEqual(other);
  expect(await countRows('observations', 'transaction_id', other.id)).toBe(2);
});

test('a repeated erasure returns the time of the first erasure, and adds nothing to the audit log', async () => {
  const state = await createTransaction();
  const first = await eraseTransaction(dependencies, state, 'client-1');
  expect(await eraseTransaction(dependencies, state, 'client-2')).toEqual(first);
  expect(await readAuditEntries(pool, { tenant: state.tenant, owner: state.id }, 10)).toHaveLength(2);
});

test('during an outage of Temporal, nothing is erased, and a repeat finds the transaction and erases it', async () => {
  const state = await createTransaction();
  const find = () => findByDocument(pool, testKeys, state.tenant, person, { limit: 10 });
  const endWorkflow = async () => {
    throw new Error('Temporal is away');
  };
  await expect(eraseTransaction({ ...dependencies, endWorkflow }, state, 'client-1')).rejects.toThrow('away');
  expect((await find()).transactions.map(({ id }) => id)).toEqual([state.id]);
  expect(await read(state)).toEqual(state);
  await eraseTransaction(dependencies, state, 'client-1');
  expect(ended).toContain(state.id);
  expect((await find()).transactions).toEqual([]);
});

test('an erasure is in the erasure log before it is final; if the log is away, nothing is erased', async () => {
  const state = await createTransaction();
  log.failingOperations.add('put');
  await expect(erase(state)).rejects.toThrow('not available');
  expect(await read(state)).toEqual(state);
  log.failingOperations.clear();
  await erase(state);
  const logged = [];
  for await (const one of createErasureLog(log.store).readSince(new Date())) if (one.id === state.id) logged.push(one);
  expect(logged).toMatchObject([{ tenant: state.tenant, part: 'transaction' }]);
  // A repeat, and a request for an unknown transaction, add nothing.
  const size = log.objects.size;
  await erase(state);
  await eraseTransaction(dependencies, { tenant: state.tenant, id: 'unknown' }, 'client-1');
  expect(log.objects.size).toBe(size);
});

test('if requests resume the workflow during the erasure, the workflow is ended until none is left', async () => {
  const state = await createTransaction();
  let runs = 1;
  const endWorkflow = async () => {
    const wasRunning = runs > 0;
    runs -= 1;
    return wasRunning;
  };
  const forget = (owner: { tenant: string; owner: string }) => {
    keys.forget(owner);
    // Each termination interrupts a start, which Temporal repeats.
    runs = 3;
  };
  await eraseTransaction({ ...dependencies, transactionKeys: { forget }, endWorkflow }, state, 'client-1');
  expect(runs).toBeLessThanOrEqual(0);
});

test('a workflow that a slow request starts after the erasure is ended, too', async () => {
  const state = await createTransaction();
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'performance', 'Date'] });
  try {
    await eraseTransaction(dependencies, state, 'client-1');
    const endsBefore = ended.length;
    await jest.advanceTimersByTimeAsync(6_000);
    expect(ended.length).toBe(endsBefore + 1);
  } finally {
    jest.useRealTimers();
  }
});

test('after an erasure, a worker that still has the data key cannot save the record', async () => {
  const state = await createTransaction();
  const key = await keys.get({ tenant: state.tenant, owner: state.id });
  await eraseTransaction(dependencies, state, 'client-1');
  const keysOfWorker = { get: async () => key };
  await expect(saveState(pool, keysOfWorker, { ...state, version: 9 }, 8)).rejects.toThrow(DataErasedError);
  expect(await countRows('transactions', 'id', state.id)).toBe(1);
  await expect(read(state)).rejects.toThrow(DataErasedError);
});

test('a message with an unknown outcome is not sent again after an erasure', async () => {
  const other = await createTransaction();
  const state = await createTransaction();
  await eraseTransaction(dependencies, state, 'client-1');
  expect(await claimDispatch(pool, { sendId: other.id, dispatches: 0, state: 'dispatching' }, 'twilio')).toBeDefined();
  expect(
    await claimDispatch(pool, { sendId: state.id, dispatches: 0, state: 'dispatching' }, 'twilio'),
  ).toBeUndefined();
});

test('a transaction whose record is lost can be erased, and never gets a record after that', async () => {
  const state = { ...buildState(), tenant: 'local', version: 0 };
  const key = await addKey(pool, { tenant: 'local', owner: state.id });
  await eraseTransaction(dependencies, state, 'client-1');
  await expect(saveState(pool, { get: async () => key }, state, state.version - 1)).rejects.toThrow(DataErasedError);
});

test('an erasure cancels a running flow run, and does not change a flow run that has ended', async () => {
  const state = await createTransaction();
  const enteredAt = daysAgo(2);
  const newRun = { flow: 'f', version: 1, startedAt: enteredAt, path: [{ step: 'wait', enteredAt }] };
  const endedAt = daysAgo(1);
  const runs = [
    { ...newRun, id: randomUUID(), status: 'Running' as const, plan: planOf(smsTokenFlow, state.id) },
    { ...newRun, id: randomUUID(), status: 'Completed' as const, outcome: 'done', endedAt },
  ];
  await saveState(pool, keys, { ...state, version: 2, runs }, 1);
  const { erasedAt } = await erase(state);
  const { rows } = await pool.query('select status, outcome, ended_at from flow_runs order by status');
  expect(rows).toEqual([
    { status: 'Canceled', outcome: null, ended_at: new Date(erasedAt) },
    { status: 'Completed', outcome: 'done', ended_at: new Date(endedAt) },
  ]);
});

test('a search by document finds the transactions of one tenant, in every spelling of the document', async () => {
  const [first, second] = [await createTransaction(), await createTransaction()];
  await createTransaction('other');
  const find = async (documentType: string, document: string) => {
    const hash = hashDocument(testKeys, 'local', { documentType, document }) ?? '';
    return (await findOwnersByDocument(pool, 'local', hash, { limit: 10 })).map(({ owner }) => owner).toSorted();
  };
  const expected = [first.id, second.id].toSorted();
  expect(await find(person.documentType, person.document)).toEqual(expected);
  expect(await find(person.documentType.toLowerCase(), person.document.replace(/^(\d{3})/, '$1.'))).toEqual(expected);
  expect(await find('RG', person.document)).toEqual([]);
  await eraseTransaction(dependencies, first, 'client-1');
  expect(await find(person.documentType, person.document)).toEqual([second.id]);
});

describe('after an erasure', () => {
  const graph = () => createPostgresLinkGraph(pool, testKeys);
  const newSend = ({ tenant, id: transactionId }: TransactionState): NewSend => ({
    ...{ sendId: randomUUID(), tenant, transactionId, confirmationOrLinkId: '', settingsName: '', channel: 'sms' },
    ...{ kind: 'token', destination: 'd', prefix: '+55119', expiresAt: daysAgo(-1) },
  });
  const noLimits: SendLimits = {
    destination: { perTenant: 9, total: 9, guaranteed: 9, windowMs: dayMs },
    daily: [],
    lowAnswerRate: { messages: 5, rate: 0, blockHours: 1 },
  };

  it('an assessment after an erasure adds nothing to the link graph, and fails before it asks third parties', async () => {
    const state = await createTransaction();
    await eraseTransaction(dependencies, state, 'client-1');
    await expect(graph().addAndFindRelated(state, 'shared', 30)).rejects.toThrow(DataErasedError);
    expect(await countRows('observations', 'transaction_id', state.id)).toBe(0);
  });

  it('after an erasure, a repeat of the request that created the transaction saves nothing', async () => {
    const state = await createTransaction();
    await eraseTransaction(dependencies, state, 'client-1');
    expect(await createRecord(pool, keys, state, observationOf(testKeys, state, circleOfTenant(state.tenant)))).toBe(
      false,
    );
    expect(await countRows('data_keys', 'owner', state.id)).toBe(0);
    await expect(read(state)).rejects.toThrow(DataErasedError);
  });

  it('an erasure leaves no biometrics link, even if the record with the link was saved during the erasure', async () => {
    const state = await createTransaction();
    const link = { id: randomUUID(), tokenHash: randomUUID(), status: 'Waiting', createdAt: daysAgo(0), sends: [] };
    const erasure = await inTransaction(pool, async (client) => {
      const biometrics = [link] as unknown as NonNullable<TransactionState['biometrics']>;
      await saveState(client, keys, { ...state, version: 2, changedAt: daysAgo(0), biometrics }, 1);
      // The erasure waits until this database transaction ends.
      const running = eraseTransaction(dependencies, state, 'client-1');
      await pause(300);
      return { running };
    });
    await erasure.running;
    expect(await countRows('biometrics_links', 'transaction_id', state.id)).toBe(0);
  });

  it('after an erasure, no send is created for a message of the transaction', async () => {
    const state = await createTransaction();
    await eraseTransaction(dependencies, state, 'client-1');
    const send = newSend(state);
    await expect(reserveSend(pool, send, noLimits, 'twilio')).rejects.toThrow(DataErasedError);
    expect(await countRows('sends', 'send_id', send.sendId)).toBe(0);
  });

  it('after an erasure, a response or a report of the provider adds no id of the provider to a send', async () => {
    const state = await createTransaction();
    await eraseTransaction(dependencies, state, 'client-1');
    await acceptSend(pool, state.id, 'SM1');
    expect(await adoptMessage(pool, { sendId: state.id, dispatches: 0 }, 'SM1')).toBe(false);
    const report = {
      sendId: state.id,
      providerId: 'SM1',
      status: 'sent',
      sameOrLater: [],
      relevantTo: [],
      isTold: true,
      events: [],
    };
    expect(await saveStatusReports(pool, [report])).toEqual([]);
    expect((await pool.query('select provider_id from sends')).rows).toEqual([{ provider_id: null }]);
  });

  it('after an erasure, a reply does not wait for the provider id of the erased message, and does not go to an older message', async () => {
    await createTransaction();
    const state = await createTransaction();
    await pool.query("update sends set state = 'accepted' where send_id <> $1", [state.id]);
    await eraseTransaction(dependencies, state, 'client-1');
    expect(await hasUnknownProviderId(pool, ['d'], 'sms')).toBe(false);
    await pool.query("update sends set state = 'accepted'");
    const query = { destinations: ['d'], channel: 'sms', at: new Date(), failedStatuses: [] };
    const newest = await findNewestOpenSend(pool, query);
    expect(newest?.transactionId).toBe(state.id);
  });

  it('sends of an erased transaction count for the limits, and are deleted after two days; sends of other transactions stay', async () => {
    const [old, recent, other] = [await createTransaction(), await createTransaction(), await createTransaction()];
    for (const state of [old, recent]) await eraseTransaction(dependencies, state, 'client-1');
    const makeOlder = (id: string, hours: number) =>
      pool.query("update sends set created_at = now() - $2 * interval '1 hour' where send_id = $1", [id, hours]);
    await makeOlder(old.id, 49);
    await makeOlder(recent.id, 23);
    await makeOlder(other.id, 49);
    await deleteErasedSends(pool);
    const { rows } = await pool.query<{ id: string }>('select send_id as id from sends order by created_at');
    expect(rows.map(({ id }) => id)).toEqual([other.id, recent.id]);
    const limits = { ...noLimits, destination: { ...noLimits.destination, perTenant: 1, guaranteed: 0 } };
    expect(await reserveSend(pool, newSend(other), limits, 'twilio')).toMatchObject({ reason: 'destinationLimit' });
  });

  it('after an erasure, neither an image nor an upload of the transaction is saved, and no data key is made', async () => {
    const state = await createTransaction();
    await eraseTransaction(dependencies, state, 'client-1');
    const owner = { tenant: state.tenant, owner: state.id };
    const images = createSealedImages(pool, testKeys, memory.store);
    await expect(
      images.save({ linkId: 'link', ...owner, kind: 'selfie', jpeg, deleteAfter: new Date(Date.now() + dayMs) }),
    ).rejects.toThrow(ImageErasedError);
    expect(await createUploads(pool, testKeys).start({ ...owner, purpose: 'selfie', size: 9 })).toEqual({
      error: 'busy',
    });
    expect(await countRows('uploads', 'owner', state.id)).toBe(0);
    expect(await countRows('data_keys', 'owner', state.id)).toBe(0);
  });

  it('a repeated erasure removes images that are left, and writes their number to the audit log', async () => {
    const [state, other] = [await createTransaction(), await createTransaction()];
    await eraseTransaction(dependencies, state, 'client-1');
    for (const table of ['images', 'data_keys'])
      await pool.query(`update ${table} set owner = $1 where owner = $2`, [state.id, other.id]);
    await eraseTransaction(dependencies, state, 'client-2');
    expect((await pool.query('select from images where deleted_at is null')).rows).toEqual([]);
    expect(await countRows('data_keys', 'owner', state.id)).toBe(0);
    expect(await readAuditEntries(pool, { tenant: state.tenant, owner: state.id }, 1)).toMatchObject([
      { actor: 'client-2', action: 'images_erased', detail: { count: 1 } },
    ]);
  });

  it('an erasure waits for a write that began earlier, so no data of this write is left', async () => {
    const state = await createTransaction();
    const { sendId, expiresAt } = newSend(state);
    const erasure = await inTransaction(pool, async (client) => {
      expect(await isErased(client, { tenant: state.tenant, owner: state.id })).toBe(false);
      // The erasure waits until `inTransaction` ends. If the callback returned the promise outside of an array, `inTransaction` would wait
      // for the erasure, and neither would end.
      const pending = [eraseTransaction(dependencies, state, 'client-1')];
      expect(await Promise.race([pending[0], pause(200, 'waits')])).toBe('waits');
      await client.query(
        `insert into sends (send_id, tenant, transaction_id, confirmation_or_link_id, settings_name, channel, kind, destination, expires_at, prefix)
         values ($1, $2, $3, '', '', 'sms', 'token', 'd', $4, '+55119')`,
        [sendId, state.tenant, state.id, expiresAt],
      );
      return pending;
    });
    await Promise.all(erasure);
    expect((await pool.query('select prefix from sends where send_id = $1', [sendId])).rows).toEqual([
      { prefix: null },
    ]);
  });
});

/** Fails with the error of Postgres for a statement that has reached its time limit. */
const stopStatement = (database: Pool) =>
  inTransaction(database, async (client) => {
    await client.query('set local statement_timeout = 1');
    await client.query('select pg_sleep(60)');
  });

describe('the retention', () => {
  const { signal } = new AbortController();
  let askTemporal = async (): Promise<unknown> => undefined;
  const expire = (days: { default: number; byTenant: Record<string, number> }) =>
    createExpiry({ ...dependencies, askTemporal, retentionDays: days, logger, signal: () => signal })();

  it('the retention erases transactions that are older than the retention time of their tenant', async () => {
    const [old, recent] = [
      await createTransaction('local', daysAgo(181)),
      await createTransaction('local', daysAgo(179)),
    ];
    const [acmeOld, acmeRecent] = [
      await createTransaction('acme', daysAgo(31)),
      await createTransaction('acme', daysAgo(29)),
    ];
    const kept = await createTransaction('bank', daysAgo(400));
    const days = { default: 180, byTenant: { acme: 30, bank: 3_650 } };
    expect(await expire(days)).toEqual({ transactions: 2, skipped: [] });
    expect(new Set(ended)).toEqual(new Set([old.id, acmeOld.id]));
    for (const state of [recent, acmeRecent, kept]) expect(await read(state)).toEqual(state);
    expect(await readAuditEntries(pool, { tenant: 'acme', owner: acmeOld.id }, 1)).toMatchObject([
      { actor: 'retention', action: 'transaction_erased' },
    ]);
    expect(await expire(days)).toEqual({ transactions: 0, skipped: [] });
  });

  it('after an outage of Temporal, the retention tries again and ends the workflows', async () => {
    const ids = [];
    for (const days of [184, 183, 182, 181]) ids.push((await createTransaction('local', daysAgo(days))).id);
    const days = { default: 180, byTenant: {} };
    const { endWorkflow } = dependencies;
    let calls = 0;
    const failAsAway = async () => {
      calls += 1;
      throw Object.assign(new Error('Temporal is away'), { code: 'ECONNREFUSED' });
    };
    dependencies.endWorkflow = failAsAway;
    askTemporal = failAsAway;
    await expect(expire(days)).rejects.toThrow('away');
    // The first transaction, and the question whether Temporal is available. No other transaction is tried.
    expect(calls).toBe(2);
    dependencies.endWorkflow = endWorkflow;
    askTemporal = async () => undefined;
    expect(await expire(days)).toEqual({ transactions: 4, skipped: [] });
    expect(ended).toEqual(expect.arrayContaining(ids));
  });

  it('transactions that always time out are skipped, however many come one after the other, and the others are erased', async () => {
    const bad: string[] = [];
    for (const days of [190, 189, 188, 187, 186]) bad.push((await createTransaction('local', daysAgo(days))).id);
    const { id } = await createTransaction('local', daysAgo(181));
    const { endWorkflow } = dependencies;
    dependencies.endWorkflow = async (target) => {
      // Postgres itself stops a statement that takes too long.
      if (bad.includes(target.id)) await stopStatement(pool);
      return endWorkflow(target);
    };
    const skipped = bad.map((badId) => ({ tenant: 'local', id: badId }));
    expect(await expire({ default: 180, byTenant: {} })).toEqual({ transactions: 1, skipped });
    expect(ended).toContain(id);
  });

  it('a transaction that cannot be erased is skipped and logged, and the others are erased', async () => {
    const [bad, first, second] = [
      await createTransaction('local', daysAgo(183)),
      await createTransaction('acme', daysAgo(182)),
      await createTransaction('local', daysAgo(181)),
    ];
    const { endWorkflow } = dependencies;
    dependencies.endWorkflow = async (target) => {
      if (target.id === bad.id) throw new TypeError('This workflow cannot be ended.');
      return endWorkflow(target);
    };
    const log = new LogLines();
    const retentionDays = { default: 180, byTenant: {} };
    const expireLogged = createExpiry({
      ...dependencies,
      askTemporal,
      retentionDays,
      logger: createLogger('test', 'error', log.stream),
      signal: () => signal,
    });
    const skipped = [{ tenant: 'local', id: bad.id }];
    expect(await expireLogged()).toEqual({ transactions: 2, skipped });
    for (const { id } of [first, second]) expect(ended).toContain(id);
    expect(log.lines).toMatchObject([
      { level: 50, task: 'erase expired transactions', transactionId: bad.id, failure: 'TypeError' },
    ]);
    // The next batch does not try the bad transaction again.
    expect(await expireLogged({ skip: skipped })).toEqual({ transactions: 0, skipped: [] });
    expect(log.lines).toHaveLength(1);
  });

  it('the retention stops between two transactions when its worker stops, and the next attempt continues', async () => {
    await createTransaction('local', daysAgo(182));
    await createTransaction('local', daysAgo(181));
    const stop = new AbortController();
    const retentionDays = { default: 180, byTenant: {} };
    const endWorkflow = async () => {
      stop.abort(new Error('The worker stops.'));
      return false;
    };
    const expireUntilStop = createExpiry({
      ...dependencies,
      endWorkflow,
      askTemporal,
      retentionDays,
      logger,
      signal: () => stop.signal,
    });
    await expect(expireUntilStop()).rejects.toThrow('The worker stops.');
    expect(await expire(retentionDays)).toEqual({ transactions: 1, skipped: [] });
  });

  it('the retention waits for the end of a flow run', async () => {
    const state = await createTransaction('local', daysAgo(181));
    const run = { id: randomUUID(), flow: 'f', version: 1, status: 'Running' as const, startedAt: daysAgo(181) };
    const path = [{ step: 'wait', enteredAt: daysAgo(181) }];
    const running = { ...run, path, plan: planOf(smsTokenFlow, state.id) };
    await saveState(pool, keys, { ...state, version: 2, runs: [running] }, 1);
    expect(await expire({ default: 180, byTenant: {} })).toEqual({ transactions: 0, skipped: [] });
    const ended = { ...run, status: 'Canceled' as const, endedAt: daysAgo(181), path };
    await saveState(pool, keys, { ...state, version: 3, runs: [ended] }, 2);
    expect(await expire({ default: 180, byTenant: {} })).toEqual({ transactions: 1, skipped: [] });
  });
});
