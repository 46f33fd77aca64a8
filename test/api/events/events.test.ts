import { setTimeout as pause } from 'node:timers/promises';
import type { TransactionState } from '../../../domain/transactions/state';
import { createLogger } from '../../../platform/logger';
import { inTransaction, openPool, type Pool } from '../../../platform/postgres/postgres';
import { eraseRecord } from '../../../store/transactions/erased-records.sql';
import { saveState } from '../../../store/transactions/transactions.sql';
import { uuidV7 } from '../../../api/transactions/proposed-ids';
import { ApiWorld, problemShape } from '../api-world';
import { buildState } from '../../support/build';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import { testTransactionKeys } from '../../support/test-data-converter';
import { waitUntil } from '../../support/wait-until';

let postgres: TestPostgres;
let pool: Pool;
let world: ApiWorld;
beforeAll(async () => {
  postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase();
  pool = openPool(databaseUrl, createLogger('test', 'silent'));
  world = await ApiWorld.open({ DATABASE_URL: databaseUrl });
});
afterAll(async () => {
  await world.close();
  await pool.end();
  await postgres.stop();
});

const save = (state: TransactionState) => saveState(pool, testTransactionKeys, state, state.version - 1);

/** Saves a new transaction. Returns its state and path. */
async function createSaved(): Promise<{ state: TransactionState; path: string }> {
  const state = { ...buildState(), id: uuidV7(), version: 1 };
  await save(state);
  return { state, path: `/v1/transactions/${state.id}` };
}

/** Saves the next version of the record. */
const addScore = (state: TransactionState) =>
  save({
    ...state,
    version: 2,
    scores: [{ value: 50, reason: 'Initial', createdAt: state.createdAt }],
    changedAt: new Date().toISOString(),
  });

interface Events {
  events: { id: string; sequence: number; type: string; data: object }[];
  next: number;
}

const read = async (path: string): Promise<Events> => (await world.request(path)).body as Events;

test('a list of events starts after the requested position', async () => {
  const { state, path } = await createSaved();
  await addScore(state);
  const { events, next } = await read(`${path}/events`);
  expect(events.map(({ type }) => type)).toEqual(['transaction.created', 'score.changed']);
  expect(events[1]).toEqual({
    id: `${state.id}.2`,
    sequence: 2,
    type: 'score.changed',
    at: state.createdAt,
    transactionId: state.id,
    status: 'Open',
    data: { value: 50, reason: 'Initial' },
  });
  expect(next).toBe(2);
  expect(await read(`${path}/events?after=2`)).toEqual({ events: [], next: 2 });
  expect((await read(`${path}/events?limit=1`)).events).toHaveLength(1);
});

test('a request waits for the next event, but not longer than `wait` seconds', async () => {
  const { state, path } = await createSaved();
  const startedAt = performance.now();
  const waiting = read(`${path}/events?after=1&wait=20`);
  await pause(300);
  await addScore(state);
  expect((await waiting).events.map(({ type }) => type)).toEqual(['score.changed']);
  expect(performance.now() - startedAt).toBeLessThan(15_000);
  expect(await read(`${path}/events?after=2&wait=1`)).toEqual({ events: [], next: 2 });
});

test('a request finds an event that is saved between its read of the events and its wait', async () => {
  const { state, path } = await createSaved();
  const { newEvents } = world.dependencies;
  const watch = newEvents.watch.bind(newEvents);
  const spy = jest.spyOn(newEvents, 'watch').mockImplementation((target, signal) => {
    const watching = watch(target, signal);
    return {
      ...watching,
      wait: async (after, ms) => {
        await addScore(state);
        await pause(300);
        return watching.wait(after, ms);
      },
    };
  });
  try {
    const startedAt = performance.now();
    expect((await read(`${path}/events?after=1&wait=20`)).events).toHaveLength(1);
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  } finally {
    spy.mockRestore();
  }
});

test('when the process stops, waiting requests end', async () => {
  const { path } = await createSaved();
  const other = await ApiWorld.open({ DATABASE_URL: world.dependencies.config.DATABASE_URL });
  const waiting = other.request(`${path}/events?after=1&wait=20`);
  await pause(300);
  await other.dependencies.newEvents.stop();
  expect((await waiting).body).toEqual({ events: [], next: 1 });
  await other.close();
});

test('events are streamed, starting after the event in Last-Event-ID', async () => {
  const { state, path } = await createSaved();
  const controller = new AbortController();
  const response = await fetch(`${world.address}${path}/events`, {
    signal: controller.signal,
    headers: {
      authorization: `Bearer ${await world.issueToken('local')}`,
      accept: 'text/event-stream',
      'last-event-id': `${state.id}.1`,
    },
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  await addScore(state);
  let text = '';
  const reading = (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
  })().catch(() => undefined);
  await waitUntil(async () => text.includes('\n\n'));
  controller.abort();
  await reading;
  expect(text).toMatch(new RegExp(`^id: ${state.id}\\.2\\nevent: score\\.changed\\ndata: \\{.+\\}\\n\\n`));
});

test('an erasure ends a stream, and a request that waits gets 410', async () => {
  const { state, path } = await createSaved();
  const response = await fetch(`${world.address}${path}/events?after=1`, {
    headers: { authorization: `Bearer ${await world.issueToken('local')}`, accept: 'text/event-stream' },
  });
  const startedAt = performance.now();
  const waiting = world.request(`${path}/events?after=1&wait=20`);
  await pause(300);
  await inTransaction(pool, (client) => eraseRecord(client, state));
  expect(await response.text()).toBe('');
  expect((await waiting).body).toEqual(problemShape('erased', 410));
  expect(performance.now() - startedAt).toBeLessThan(15_000);
});

test('after the client of a stream was revoked, the stream does not send the next event, and ends', async () => {
  const { state, path } = await createSaved();
  const response = await fetch(`${world.address}${path}/events?after=1`, {
    headers: { authorization: `Bearer ${await world.issueToken('local')}`, accept: 'text/event-stream' },
  });
  // After this pause, the stream waits for a new event.
  await pause(300);
  const revoked = jest.spyOn(world.dependencies.clientVersions, 'isCurrent').mockReturnValue(false);
  await addScore(state);
  expect(await response.text()).toBe('');
  revoked.mockRestore();
});

test('after the client of a waiting request was revoked, the request gets 401 instead of the next event', async () => {
  const { state, path } = await createSaved();
  const waiting = world.request(`${path}/events?after=1&wait=20`);
  // After this pause, the request waits for a new event.
  await pause(300);
  const revoked = jest.spyOn(world.dependencies.clientVersions, 'isCurrent').mockReturnValue(false);
  await addScore(state);
  expect((await waiting).body).toEqual(problemShape('unauthorized', 401));
  revoked.mockRestore();
});

test('a stream that waits many times adds only one listener to its abort signal, and an abort ends the current wait', async () => {
  const controller = new AbortController();
  const added = jest.spyOn(controller.signal, 'addEventListener');
  const watch = world.dependencies.newEvents.watch(
    { tenant: 'local', id: uuidV7(), clientId: 'client' },
    controller.signal,
  );
  for (let count = 0; count < 20; count += 1) expect(await watch.wait(0, 1)).toBe(false);
  expect(added).toHaveBeenCalledTimes(1);
  const last = watch.wait(0, 60_000);
  controller.abort();
  expect(await last).toBe(false);
  watch.stop();
});

test('events of unknown transactions and of other tenants are not found, and invalid query parameters are rejected', async () => {
  const { path } = await createSaved();
  const unknown = await world.request(`/v1/transactions/${uuidV7()}/events?wait=20`);
  expect(unknown.body).toEqual(problemShape('transaction_not_found', 404));
  const token = await world.issueToken('other');
  expect((await world.request(`${path}/events`, { token })).status).toBe(404);
  expect((await world.request(`${path}/timeline`, { token })).status).toBe(404);
  for (const query of ['after=-1', 'after=', 'after=x', 'limit=0', 'limit=101', 'wait=31'])
    expect((await world.request(`${path}/events?${query}`)).body).toMatchObject({ code: 'validation_failed' });
});

test('the timeline describes each event and says who caused it', async () => {
  const { state, path } = await createSaved();
  const { body } = await world.request(`${path}/timeline`);
  expect(body).toEqual({
    entries: [
      {
        sequence: 1,
        at: state.createdAt,
        type: 'transaction.created',
        actor: 'caller',
        description: 'The transaction was created.',
        status: 'Open',
        data: {},
      },
    ],
  });
});
