import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../cluster/random';
import { isRequestFault, type ProviderFault, providerFaults, type TwoProviders } from './two-providers';

/** Which of the providers fails. */
type Role = 'first' | 'second';

/** The faults of one provider at the same time. `delayMs`: from the begin of their phase. */
interface PlannedFaults {
  role: Role;
  faults: readonly ProviderFault[];
  delayMs: number;
  durationMs: number;
}

/** In a phase, one of the providers fails, or both fail, partly at the same time. After it, both work for `pauseMs`. */
export interface Phase {
  planned: readonly PlannedFaults[];
  pauseMs: number;
}

/** How often each fault began, such as `second down`. */
export type FaultCounts = Map<`${Role} ${ProviderFault}`, number>;

/**
 * Endless phases, the same for the same seed. Each fault begins at the first provider alone, at the second alone, and at both, before one is
 * repeated. In half of the cases without an answer, no receipt shows that the provider has the message, so that only a search can.
 * `longestMs`: the longest duration of a fault.
 */
export function* planPhases(seed: number, longestMs: number): Generator<Phase, never> {
  const random = createRandom(seed);
  const plan = (role: Role, fault: ProviderFault): PlannedFaults => ({
    role,
    faults: isRequestFault(fault) && random.next() < 0.5 ? [fault, 'no receipts'] : [fault],
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
    for (const planned of groups) yield { planned, pauseMs: random.between(0, longestMs / 4) };
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
  const inject = async ({ role, faults, delayMs, durationMs }: PlannedFaults) => {
    await pause(delayMs);
    if (signal.aborted) return;
    for (const fault of faults) counts.set(`${role} ${fault}`, (counts.get(`${role} ${fault}`) ?? 0) + 1);
    await providers.setFaults(providers[role], faults);
    await pause(durationMs);
    await providers.setFaults(providers[role], []);
  };
  for (const { planned, pauseMs } of phases) {
    await Promise.all(planned.map(inject));
    await pause(pauseMs);
    if (signal.aborted) return;
  }
}
