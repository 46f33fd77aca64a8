import { authenticateClient } from '../../../api/clients/token';
import { makeClient, saveClient } from '../../../api/clients/clients';
import { uuidV7 } from '../../../api/transactions/proposed-ids';
import { checkCode } from '../../../domain/confirmations/check-code';
import { addSend } from '../../../domain/confirmations/send';
import { smsToken } from '../../../flows/confirmations';
import { digestTypedCode } from '../../../messages/codes';
import { createLogger } from '../../../platform/logger';
import { openPool } from '../../../platform/postgres/postgres';
import { newPerson } from '../../acceptance/support/new-person';
import { shareStack } from '../../acceptance/support/share-stack';
import { buildState, codeOf, propose, testKeys } from '../../support/build';
import { startPostgres } from '../../support/postgres';
import { compareTimes, describeComparison, type TimeComparison } from '../compare-times';
import { openConnections } from '../connections';

/*
 * What an attacker could learn from the time of an answer. The limits are far above the noise of a busy machine: the tests fail only if a
 * check ends early or leaves out a database call. The printed figures show smaller differences.
 */

/** How often `compareTimes` calls each function. */
const samples = 50_000;
/** The largest allowed difference of two medians, divided by the first median. */
const differenceMax = 0.1;
/**
 * Smaller for a function that is called without HTTP, because there is less noise. This limit detects the following mistake: if only the
 * check of a known client read a row of the database, the difference would be 6 %.
 */
const checkDifferenceMax = 0.03;
const testWithinMs = 3_600_000;
const getTestStack = shareStack(() => ({}));

/** Fails if the difference of the medians is not below `max`. */
const report = (name: string, comparison: TimeComparison, max = differenceMax) => {
  process.stderr.write(describeComparison(name, comparison));
  expect(comparison.difference).toBeLessThan(max);
};

test(
  'the check of a code takes equally long, whether its first or its last digit is wrong',
  async () => {
    const initialState = buildState();
    const requested = addSend(initialState, propose(smsToken, initialState.id, 'a'), initialState.createdAt);
    if ('error' in requested) throw new Error(requested.error.type);
    const { state } = requested;
    const code = codeOf(smsToken, state.id, 'a');
    const changeDigit = (index: number) =>
      `${code.slice(0, index)}${(Number(code[index]) + 1) % 10}${code.slice(index + 1)}`;
    const check = (typed: string) => () =>
      checkCode(state, smsToken.name, digestTypedCode(testKeys, state.id, smsToken.name, typed), state.createdAt);
    report(
      'codes with a wrong last digit and with a wrong first digit',
      await compareTimes(check(changeDigit(5)), check(changeDigit(0)), { samples }),
    );
  },
  testWithinMs,
);

test(
  'a read with an id of another tenant takes as long as a read with an unknown id',
  async () => {
    const { api, stack } = getTestStack();
    const foreignPath = await api.createTransaction(newPerson().body);
    await api.getAll(foreignPath);
    const caller = openConnections(api.address, await stack.token('other'), 1);
    const get = (path: string) => async () => {
      const { status } = await caller.get(path);
      if (status !== 404) throw new Error(`The status is ${status}.`);
    };
    // An id with another UUID version would be refused without a lookup, and the test would fail.
    const unknownPath = `/v1/transaction/${uuidV7()}`;
    report(
      'an id of another tenant and an unknown id',
      await compareTimes(get(foreignPath), get(unknownPath), { samples }),
    );
    caller.close();
  },
  testWithinMs,
);

test(
  'the check of a wrong secret of a known client takes as long as the check of an unknown client',
  async () => {
    const postgres = await startPostgres();
    const pool = openPool(await postgres.createDatabase(), createLogger('test', 'silent'), 1);
    await saveClient(pool, { ...makeClient('local', ['*']), clientId: 'known' });
    const check = (clientId: string) => () => authenticateClient(pool, clientId, 'wrong');
    // `nobod` is as long as `known`.
    report(
      'the check of a known and of an unknown client',
      await compareTimes(check('known'), check('nobod'), { samples }),
      checkDifferenceMax,
    );
    await pool.end();
    await postgres.stop();
  },
  testWithinMs,
);

test(
  'a sign-in with a wrong secret takes as long as a sign-in of an unknown client',
  async () => {
    const address = `${getTestStack().stack.addresses.api}/v1/authentication`;
    const logIn = (name: string) => async () => {
      const response = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ Username: name, Password: 'wrong' }),
      });
      await response.arrayBuffer();
      if (response.status !== 401) throw new Error(`The status is ${response.status}.`);
    };
    // `nobod` is as long as `local`.
    report('a known and an unknown client', await compareTimes(logIn('local'), logIn('nobod'), { samples }));
  },
  testWithinMs,
);
