import { CountersignTimeoutError, isProblem, type Event, type TransactionStatus } from '../../client/index';
import { waitUntil } from '../support/wait-until';
import { problem, type ScriptedService, startScriptedService } from './scripted-service';

let service: ScriptedService;
afterEach(() => service.stop());

/**
 * A service with one transaction. `add` adds an event for each status. A request for events waits for a new event, at most the seconds in
 * `wait`. While `isDown`, all answers are 503. If `isStopping`, no request waits.
 */
async function startTransaction(...statuses: TransactionStatus[]) {
  const events: Event[] = [];
  const state = { status: 'Open' as TransactionStatus, isDown: false, isStopping: false };
  const add = (...added: TransactionStatus[]) => {
    for (const status of added) {
      const sequence = events.length + 1;
      events.push({
        sequence,
        id: `t.${sequence}`,
        transactionId: 't',
        type: 'score.changed',
        at: '',
        status,
        data: {},
      });
      state.status = status;
    }
  };
  add(...statuses);
  service = await startScriptedService(async ({ path }) => {
    if (state.isDown) return problem(503, 'service_unavailable');
    if (!path.includes('/events')) return { body: { status: state.status } };
    const query = new URL(path, 'http://service').searchParams;
    const after = Number(query.get('after') ?? 0);
    const waitMs = Number(query.get('wait') ?? 0) * 1_000;
    await waitUntil(() => events.length > after || state.isDown || state.isStopping, waitMs).catch(() => undefined);
    const page = events.slice(after, after + 100);
    return { body: { events: page, next: page.at(-1)?.sequence ?? after } };
  });
  return { add, state, transactions: service.client().transactions };
}

/** The default timeout is half an hour, too long for a failing test. */
const options = { timeoutMs: 8_000 };

const isWaiting = () => service.received.some(({ path }) => path.includes('wait='));

test('if the transaction has the status already, waitFor returns at once, without an event', async () => {
  const { transactions } = await startTransaction('Open', 'Confirmed');
  expect(await transactions.waitFor('t', 'Confirmed', options)).toEqual({ status: 'Confirmed' });
  expect(isWaiting()).toBe(false);
});

test('waitFor does not accept a status that the transaction had only before the call', async () => {
  const { transactions, add } = await startTransaction('Expired', 'Open');
  const waiting = transactions.waitFor('t', ['Confirmed', 'Expired'], options);
  await waitUntil(isWaiting);
  add('Confirmed');
  expect(await waiting).toMatchObject({ status: 'Confirmed', event: { sequence: 3 } });
});

test('waitFor finds a status that the transaction had only between two requests', async () => {
  const { transactions, add } = await startTransaction('Open');
  const waiting = transactions.waitFor('t', 'Blocked', options);
  await waitUntil(isWaiting);
  add('Open', 'Blocked', 'Open');
  expect(await waiting).toMatchObject({ status: 'Blocked', event: { sequence: 3 } });
});

test('waitFor finds a status that the transaction had only between the first read and the first wait for events', async () => {
  const { transactions, add } = await startTransaction('Open');
  const waiting = transactions.waitFor(
    't',
    ({ status }) => {
      // The first call gets the status at the start. During this call, the status changes twice, before any request waits for events.
      if (!service.received.some(({ path }) => path.includes('wait=')) && service.received.length === 2)
        add('Blocked', 'Open');
      return status === 'Blocked';
    },
    options,
  );
  expect(await waiting).toMatchObject({ status: 'Blocked' });
});

test('a condition that is a function is called with the status at the start, and then with each later event', async () => {
  const { transactions, add } = await startTransaction('Open');
  const seen: unknown[] = [];
  const waiting = transactions.waitFor(
    't',
    ({ status, event }) => {
      seen.push([status, event?.sequence]);
      return event?.sequence === 3;
    },
    options,
  );
  await waitUntil(isWaiting);
  add('InReview', 'Confirmed', 'Denied');
  await waiting;
  expect(seen).toEqual([
    ['Open', undefined],
    ['InReview', 2],
    ['Confirmed', 3],
  ]);
});

test('with the option `after`, waitFor also looks at events before the call', async () => {
  const { transactions } = await startTransaction('Open', 'Blocked', 'Open');
  expect(await transactions.waitFor('t', 'Blocked', { ...options, after: 1 })).toMatchObject({
    event: { sequence: 2 },
  });
  await expect(transactions.waitFor('t', 'Blocked', { after: 2, timeoutMs: 300 })).rejects.toThrow('within 300 ms');
});

test('waitFor finds a status that changed without an event, as soon as a request for events returns no event', async () => {
  const { transactions, state } = await startTransaction('Open');
  const waiting = transactions.waitFor('t', 'Expired', options);
  await waitUntil(isWaiting);
  Object.assign(state, { status: 'Expired', isStopping: true });
  expect(await waiting).toEqual({ status: 'Expired' });
});

test('an outage of the service does not end waitFor', async () => {
  const { transactions, add, state } = await startTransaction('Open');
  const waiting = transactions.waitFor('t', 'Confirmed', { timeoutMs: 40_000 });
  await waitUntil(isWaiting);
  state.isDown = true;
  await waitUntil(() => service.received.length > 7, 20_000);
  add('Confirmed');
  state.isDown = false;
  expect(await waiting).toMatchObject({ status: 'Confirmed' });
});

test('waitFor ends after its timeout, after an abort, and after an error that cannot be retried', async () => {
  const { transactions } = await startTransaction('Open');
  const startedMs = performance.now();
  await expect(transactions.waitFor('t', 'Confirmed', { timeoutMs: 400 })).rejects.toBeInstanceOf(
    CountersignTimeoutError,
  );
  expect(performance.now() - startedMs).toBeLessThan(10_000);
  const signal = AbortSignal.timeout(300);
  await expect(transactions.waitFor('t', 'Confirmed', { signal })).rejects.toMatchObject({ name: 'TimeoutError' });
  await service.stop();
  service = await startScriptedService(() => problem(410, 'erased'));
  const error = await service
    .client()
    .transactions.waitFor('t', 'Confirmed', options)
    .catch((thrown: unknown) => thrown);
  expect(isProblem(error, 'erased')).toBe(true);
});
