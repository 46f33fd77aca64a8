import { faultKinds } from './faults';
import { createRandom } from './random';
import { planFaults } from './schedule';

const planOf = (seed: number, count: number) =>
  planFaults(createRandom(seed), count, undefined).map((round) => round.map(({ kind }) => kind));

test('a seed repeats the faults of an earlier run', () => {
  expect(planOf(7, 100)).toEqual(planOf(7, 100));
  expect(planOf(7, 100)).not.toEqual(planOf(8, 100));
});

test('each kind of fault appears once before one is repeated', () => {
  const kinds = faultKinds.map(({ kind }) => kind);
  const planned = planOf(7, 100).flat();
  expect(planned).toHaveLength(100);
  expect(planned.slice(0, kinds.length).toSorted()).toEqual(kinds.toSorted());
});

test('faults that overlap hit different areas', () => {
  const overlapping = planFaults(createRandom(7), 1_000, undefined).filter((round) => round.length > 1);
  expect(overlapping.length).toBeGreaterThan(50);
  for (const [first, second] of overlapping) expect(first?.area).not.toBe(second?.area);
});

test('only one kind is planned on request', () => {
  const planned = planFaults(createRandom(7), 5, 'worker kill').flat();
  expect(planned.map(({ kind }) => kind)).toEqual(new Array(5).fill('worker kill'));
});
