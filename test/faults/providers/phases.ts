import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../cluster/random';
import { type ProviderFault, providerFaults, type TwoProviders } from './two-providers';

/** Which of the providers fails. */
type Role = 'first' | 'second';

/** A fault of one provider. `delayMs`: from the begin of its phase. */
interface PlannedFault {
  role: Role;
  fault: ProviderFault;
  delayMs: number;
  durationMs: number;
}

/** A phase has one fault, or one for each provider, which overlap. After it, both providers work for `pauseMs`. */
export interface Phase {
  faults: readonly PlannedFault[];
  pauseMs: number;
}

/** How often each fault began, such as `second down`. */
export type FaultCounts = Map<`${Role} ${ProviderFault}`, number>;

/**
 * Endless phases, the same for the same seed. Each fault begins at the first provider alone, at the second alone, and at both, before one is
 * repeated. `longestMs`: the longest duration of a fault.
 */
export function* planPhases(seed: number, longestMs: number): Generator<Phase, never> {
  const random = createRandom(seed);
  const plan = (role: Role, fault: ProviderFault): PlannedFault => ({
    ...{ role, fault },
    delayMs: random.between(0, longestMs / 4),
    durationMs: random.between(longestMs / 4, longestMs),
  });
  for (;;) {
    const others = random.shuffle(providerFaults);
    const groups = random.shuffle([
      ...providerFaults.map((fault) => [plan('first', fault)]),
      ...providerFaults.map((fault) => [plan('second', fault)]),
      ...providerFaults.map((fault, index) => [plan('first', fault), plan('second', others[index] ?? fault)]),
    ]);
    for (const faults of groups) yield { faults, pauseMs: random.between(0, longestMs / 4) };
  }
}

/** Injects one phase after the other until `signal` aborts. Then both providers work. Counts the faults in `counts`. */
export async function runPhases(
  providers: TwoProviders,
  phases: Iterable<Phase>,
  counts: FaultCounts,
  signal: AbortSignal,
): Promise<void> {
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined);
  const inject = async ({ role, fault, delayMs, durationMs }: PlannedFault) => {
    await pause(delayMs);
    if (signal.aborted) return;
    counts.set(`${role} ${fault}`, (counts.get(`${role} ${fault}`) ?? 0) + 1);
    await providers.setFault(providers[role], fault);
    await pause(durationMs);
    await providers.setFault(providers[role], undefined);
  };
  for (const { faults, pauseMs } of phases) {
    await Promise.all(faults.map(inject));
    await pause(pauseMs);
    if (signal.aborted) return;
  }
}
