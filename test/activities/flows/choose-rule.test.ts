import {
  type ConditionCompute,
  createRuleChooser,
  openConditionCompute,
  Turns,
} from '../../../activities/flows/choose-rule';
import { decisionFactsOf } from '../../../domain/flows/decision-facts';
import { HostilePools, SharedCounter } from '../../platform/compute/hostile-tasks';

const facts = decisionFactsOf(
  { input: { documentType: 'CPF', document: '52998224725' }, scores: [], ratings: [], findings: [], facts: {} },
  {},
  {},
  '2026-01-31T12:00:00.000Z',
);
const pools = new HostilePools();
/** A thread with a low priority can take longer than the 900 ms of the service, for example beside other suites. */
const compute = openConditionCompute(60_000);
afterAll(async () => {
  await compute.close();
  await pools.close();
});

const chooserOf = (conditions: Pick<ConditionCompute, 'run'>, turns?: Turns) =>
  createRuleChooser((tenant, rules) => conditions.run(tenant, 'chooseRule', rules), turns);
const chooseRule = chooserOf(compute);
const choose = (...conditions: string[]) => chooseRule({ tenant: 'acme', conditions, facts });

test('the first true condition is chosen, and null if none is true', async () => {
  expect(await choose('score > 1.0', 'score < 1.0', 'true')).toEqual({ rule: 1 });
  expect(await choose('score > 1.0')).toEqual({ rule: null });
});

test.each([
  ['a division by zero', 'transaction.age / 0 > 1'],
  ['a text that is no number', "int(transaction.documentType) > 0 || 'EM001' in insights"],
  ['a fact that this version does not know', 'unknown > 1'],
])('%s in a condition fails for good, even if a later condition is true', async (_, condition) => {
  await expect(choose(condition, 'true')).rejects.toMatchObject({ type: 'ConditionFailed', nonRetryable: true });
  // A condition after the first true one is not evaluated.
  expect(await choose('true', condition)).toEqual({ rule: 0 });
});

test('a tenant holds at most 5 of the local activities of a worker: more evaluations get turns, one after the other', async () => {
  const results = await Promise.all(Array.from({ length: 100 }, () => choose('true')));
  const waits = results.flatMap((result) => ('waitMs' in result ? [result.waitMs] : []));
  expect(waits).toHaveLength(95);
  expect(new Set(waits).size).toBe(95);
});

test('a tenant that has used up its share of expensive evaluations waits, and another tenant does not', async () => {
  const large = {
    ...facts,
    transaction: {
      ...facts.transaction,
      generic: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`.padEnd(128, 'a'), 'a'])),
    },
  };
  const condition = `transaction.generic.exists(k, ${Array(6).fill("k.upperAscii() == '-'").join(' || ')})`;
  // No time passes, however long the evaluations take.
  const decide = chooserOf(compute, new Turns(() => 0));
  const costly = (hasTurn = false) =>
    decide({ tenant: 'acme', conditions: Array<string>(20).fill(condition), facts: large, hasTurn });
  let count = 0;
  // Without a share, this would end only at the limit.
  while (count < 200 && 'rule' in (await costly())) count += 1;
  expect(count).toBeLessThan(200);
  expect(await decide({ tenant: 'other', conditions: ['true'], facts })).toEqual({ rule: 0 });
  expect(await costly(true)).toEqual({ rule: null });
});

test('conditions that never end occupy no thread of another tenant, and are killed', async () => {
  const pool = pools.open({ deadlineMs: 2_000, threads: 2 });
  const hostile = chooserOf(pool);
  const endless = hostile({ tenant: 'acme', conditions: [], facts });
  const counter = new SharedCounter();
  const other = pool.run('other', 'count', counter.shared).catch((error: unknown) => error);
  // The thread of the other tenant computes while this thread is free to wait for it.
  await counter.started();
  expect(await endless).toEqual({ waitMs: expect.any(Number) });
  await other;
});
