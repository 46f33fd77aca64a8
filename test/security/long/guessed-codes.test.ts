import { Client, Connection } from '@temporalio/client';
import { Semaphore } from 'async-mutex';
import { limits } from '../../../domain/transactions/limits';
import { createLogger } from '../../../platform/logger';
import { openPool } from '../../../platform/postgres/postgres';
import { newPerson } from '../../acceptance/support/new-person';
import { shareStack } from '../../acceptance/support/share-stack';
import { countAnswers, openConnections, wrongCodes, type Answer } from '../connections';

/**
 * Attackers who guess codes over HTTP: S1, S2 and S3 in docs/security.md. These tests failed with two deliberate mistakes, so they detect
 * them:
 * - The check of a code ran without `runExclusive` (the lock of a transaction: see workflows/commands.ts), and `CommandSlots` in
 *   api/transactions/send-command.ts let ten commands of a transaction run at once. With the usual limit of two commands, the test of wrong
 *   codes still passed.
 * - store/messages/attempts.sql.ts did not limit the attempts.
 */
const getTestStack = shareStack(() => ({}));
/** Two slow cores need some minutes for 1,000 transactions. */
const testWithinMs = 900_000;
/** How many codes of six digits exist. */
const possibleCodes = 1_000_000;

async function createWithToken() {
  const { api, inbox } = getTestStack();
  const person = newPerson();
  const path = await api.createTransaction(person.body);
  expect((await api.post(`${path}/sms/tokens`)).status).toBe(201);
  return { path, code: await inbox.waitForCode(person.phone, 'sms') };
}

const connect = async (maxSockets: number, tenant = 'local') =>
  openConnections(getTestStack().stack.addresses.api, await getTestStack().stack.token(tenant), maxSockets);

/** How many wrong codes were compared, over all transactions. */
async function countComparedCodes(): Promise<number> {
  const pool = openPool(getTestStack().stack.addresses.postgres, createLogger('test', 'silent'), 1);
  const { rows } = await pool.query<{ count: number }>(
    'select count(*)::int as count from code_attempts where counts and within_limit',
  );
  await pool.end();
  return rows[0]?.count ?? 0;
}

async function readHistoryLength(path: string): Promise<number> {
  const connection = await Connection.connect({ address: getTestStack().stack.addresses.temporal });
  const handle = new Client({ connection }).workflow.getHandle(`transaction/local/${path.split('/').at(-1) ?? ''}`);
  const { historyLength } = await handle.describe();
  await connection.close();
  return historyLength;
}

const serverErrors = (answers: readonly Answer[]) => answers.filter(({ status }) => status >= 500);

test(
  'of 10,000 wrong codes over 200 connections, five are compared, and the right code after them is refused',
  async () => {
    const { path, code } = await createWithToken();
    const connections = await connect(200);
    const [comparedBefore, eventsBefore] = [await countComparedCodes(), await readHistoryLength(path)];
    const codes = wrongCodes(code);
    const startedAt = Date.now();
    const answers = await Promise.all(
      Array.from({ length: 10_000 }, () =>
        connections.post(`${path}/sms/tokens/validate`, { value: codes.next().value as string }),
      ),
    );
    const seconds = (Date.now() - startedAt) / 1_000;
    const compared = (await countComparedCodes()) - comparedBefore;
    const events = (await readHistoryLength(path)) - eventsBefore;
    const late = await connections.post(`${path}/sms/tokens/validate`, { value: code });
    process.stderr.write(
      `S1: ${answers.length} wrong codes over ${connections.opened()} connections in ${seconds} s: ${JSON.stringify(countAnswers(answers))}, ` +
        `${compared} compared, ${events} events, then the right code: ${String(late.body['status'])}\n`,
    );
    connections.close();
    expect(compared).toBe(5);
    expect(serverErrors(answers)).toEqual([]);
    expect(answers.filter(({ body }) => body['status'] === 'Invalid')).toHaveLength(4);
    expect(answers.filter(({ body }) => body['status'] === 'Valid')).toEqual([]);
    expect(late.body).toMatchObject({ status: 'Blocked' });
    // At most eight events for each compared code. Rejected codes add no events.
    expect(events).toBeLessThanOrEqual(5 * 8);
  },
  testWithinMs,
);

test(
  'of 1,000 right codes at once, one is accepted, and 100 requests with one idempotency key get the same answer',
  async () => {
    const { path, code } = await createWithToken();
    const connections = await connect(1_000);
    const validate = (key?: string) =>
      connections.post(`${path}/sms/tokens/validate`, { value: code }, key ? { 'idempotency-key': key } : {});
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => validate()));
    process.stderr.write(
      `S2: ${answers.length} right codes over ${connections.opened()} connections: ${JSON.stringify(countAnswers(answers))}\n`,
    );
    expect(answers.filter(({ body }) => body['status'] === 'Valid')).toHaveLength(1);
    // While 500 commands of one transaction wait, further commands get 503.
    expect(
      answers.filter(({ status, body }) => status !== 503 && !['Used', 'Valid'].includes(String(body['status']))),
    ).toEqual([]);
    connections.close();

    const other = await createWithToken();
    const callers = await connect(100);
    const repeats = await Promise.all(
      Array.from({ length: 100 }, () =>
        callers.post(`${other.path}/sms/tokens/validate`, { value: other.code }, { 'idempotency-key': 'same' }),
      ),
    );
    callers.close();
    process.stderr.write(`S2: 100 repeats with one key: ${JSON.stringify(countAnswers(repeats))}\n`);
    expect(countAnswers(repeats)).toEqual({ '200 Valid': 100 });
    expect(new Set(repeats.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const { scores } = await getTestStack().api.getAll(other.path);
    expect(scores.map(({ reason }) => reason)).toEqual(['Initial', 'PhoneChecked']);
  },
  testWithinMs,
);

test(
  '1,000 transactions of two tenants with one phone get no more messages and attempts than the limits of the phone allow',
  async () => {
    const { inbox } = getTestStack();
    const { phone, body } = newPerson();
    const comparedBefore = await countComparedCodes();
    const slots = new Semaphore(8);
    const callers = [await connect(8), await connect(8, 'other')];
    const forEach = (count: number, work: (index: number) => Promise<Answer[]>) =>
      Promise.all(Array.from({ length: count }, (_, index) => slots.runExclusive(() => work(index))));
    const paths: string[] = [];
    const callerOf = (index: number) => callers[index % callers.length]!;
    const requests = await forEach(1_000, async (index) => {
      const created = await callerOf(index).post('/v1/transaction', { ...body, document: newPerson().body.document });
      paths[index] = `/v1/transaction/${String(created.body['id'])}`;
      return [await callerOf(index).post(`${paths[index]}/sms/tokens`, {})];
    });
    const codes = wrongCodes('');
    const guesses = await forEach(1_000, async (index) => {
      if (requests[index]?.[0]?.status !== 201) return [];
      const validate = () =>
        callerOf(index).post(`${paths[index]}/sms/tokens/validate`, { value: codes.next().value as string });
      return Promise.all(Array.from({ length: 40 }, validate));
    });
    const resends = await forEach(1_000, async (index) => {
      const answers: Answer[] = [];
      for (const endpoint of ['sms/tokens', 'sms/2fa', 'whatsapps/2fa'])
        answers.push(await callerOf(index).post(`${paths[index]}/${endpoint}`, {}));
      return answers;
    });
    const compared = (await countComparedCodes()) - comparedBefore;
    const messages = await inbox.readMessages(phone);
    process.stderr.write(
      `S3: 1,000 transactions: requests ${JSON.stringify(countAnswers(requests.flat()))}, codes ${JSON.stringify(countAnswers(guesses.flat()))}, ` +
        `resends and other channels ${JSON.stringify(countAnswers(resends.flat()))}; ${messages.length} messages, ${compared} codes compared, ` +
        `chance of success ${((100 * compared) / possibleCodes).toFixed(4)} %\n`,
    );
    callers.forEach((caller) => caller.close());
    expect(compared).toBeLessThanOrEqual(callers.length * limits.attemptsPerDestination);
    expect(messages.length).toBeLessThanOrEqual(callers.length * limits.sendsPerDestination);
    expect(compared).toBeGreaterThan(0);
    expect(serverErrors([...requests, ...guesses, ...resends].flat())).toEqual([]);
  },
  testWithinMs,
);
