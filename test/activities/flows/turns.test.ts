import { Turns } from '../../../activities/flows/choose-rule';

/** The cost of twenty conditions that each cost as much as a condition may cost. */
const highestCost = 20 * 15_000;
const usualCost = 50;

let now = 1_000_000;
const turns = () => new Turns(() => now);

/** Evaluates if the tenant may. Otherwise returns the milliseconds until the turn. */
function evaluate(share: Turns, tenant: string, cost: number, hasTurn = false): number {
  if (!share.isAllowed(tenant, hasTurn)) return share.takeNext(tenant);
  share.pay(tenant, cost);
  return 0;
}

/** Evaluates until the tenant must wait. Returns how often it evaluated, at most 10,000 times. */
function useUp(share: Turns, cost: number, hasTurn = false): number {
  let count = 0;
  while (count < 10_000 && evaluate(share, 'acme', cost, hasTurn) === 0) count += 1;
  return count;
}

/** How many evaluations are done in a time, if `perSecond` begin and each comes back at its turn. Also returns all attempts. */
function simulate(share: Turns, { seconds, perSecond, cost }: { seconds: number; perSecond: number; cost: number }) {
  const start = now;
  const due: { at: number; hasTurn: boolean }[] = Array.from({ length: seconds * perSecond }, (_, index) => ({
    at: start + (index * 1_000) / perSecond,
    hasTurn: false,
  }));
  let [done, attempts] = [0, 0];
  for (;;) {
    due.sort((one, other) => one.at - other.at);
    const next = due.shift();
    if (!next || next.at > start + seconds * 1_000) return { done, attempts };
    now = next.at;
    attempts += 1;
    const waitMs = evaluate(share, 'acme', cost, next.hasTurn);
    if (waitMs === 0) done += 1;
    else due.push({ at: now + waitMs, hasTurn: true });
  }
}

test('usual evaluations never wait, a hundred in each second and some hundreds at once', () => {
  const share = turns();
  for (let count = 0; count < 450; count += 1) expect(evaluate(share, 'acme', usualCost)).toBe(0);
  now += 5_000;
  const seconds = 20;
  expect(simulate(share, { seconds, perSecond: 99, cost: usualCost })).toMatchObject({ done: 99 * seconds });
});

test('the most expensive evaluations of a tenant get five turns a second, and each comes back once', () => {
  const seconds = 20;
  const { done, attempts } = simulate(turns(), { seconds, perSecond: 180, cost: highestCost });
  // Five seconds that were saved, and the tolerance of one second, are added.
  expect(done).toBeLessThan((seconds + 6) * 5);
  expect(done).toBeGreaterThan(seconds * 4);
  expect(attempts - 180 * seconds).toBeLessThanOrEqual(done);
});

test('the turns of another tenant are not affected', () => {
  const share = turns();
  useUp(share, highestCost);
  expect(evaluate(share, 'other', highestCost)).toBe(0);
});

test('an evaluation without a turn does not overtake one that waits', () => {
  const share = turns();
  useUp(share, highestCost);
  const waitMs = evaluate(share, 'acme', highestCost);
  now += waitMs - 1;
  expect(evaluate(share, 'acme', highestCost)).toBeGreaterThan(0);
  now += 1;
  expect(evaluate(share, 'acme', highestCost, true)).toBe(0);
});

test('turns that were taken as cheap ones do not allow many expensive evaluations', () => {
  const share = turns();
  useUp(share, usualCost);
  for (let count = 0; count < 1_000; count += 1) evaluate(share, 'acme', usualCost);
  now += 11_000;
  expect(useUp(share, highestCost, true)).toBeLessThan(40);
});
