import { planPhases } from './phases';
import { providerFaults } from './two-providers';

/** The first `count` phases, each with the faults of the first and of the second provider. */
function planOf(seed: number, count: number) {
  const phases = planPhases(seed, 1_000);
  return Array.from({ length: count }, () =>
    phases.next().value.planned.map(({ role, faults }) => [role, ...faults].join(' ')),
  );
}

test('a seed repeats the faults of an earlier run', () => {
  expect(planOf(7, 100)).toEqual(planOf(7, 100));
  expect(planOf(7, 100)).not.toEqual(planOf(8, 100));
});

test('each fault begins at the first provider, at the second and at both before one is repeated', () => {
  const planned = planOf(7, 3 * providerFaults.length);
  for (const fault of providerFaults) {
    const having = planned.filter((phase) => phase.some((one) => one.split(/^\w+ /)[1]?.startsWith(fault)));
    expect(having.filter((phase) => phase.length === 1 && phase[0]?.startsWith('first'))).toHaveLength(1);
    expect(having.filter((phase) => phase.length === 1 && phase[0]?.startsWith('second'))).toHaveLength(1);
    expect(planned.filter((phase) => phase.length === 2 && phase[0]?.startsWith(`first ${fault}`))).toHaveLength(1);
    expect(planned.filter((phase) => phase.length === 2 && phase[1]?.startsWith(`second ${fault}`))).toHaveLength(1);
  }
});
