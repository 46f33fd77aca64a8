import { setTimeout as pause } from 'node:timers/promises';
import type { Call } from '../http/route';
import type { Language } from '../../domain/person';
import type { TransactionRead } from './transactions';

/**
 * How long a caller waits for the first assessment (`ms`), and the pause between two reads of the transaction (`pauseMs`). The initial
 * score is ready about 100 ms after the transaction is created. A caller who reads at once should get it.
 */
const assessmentWait = { ms: 2_000, pauseMs: 100 } as const;

/** Reads a transaction. If it has no assessment yet, waits up to 2 s for the first one. */
export async function readAssessedTransaction(
  { dependencies, tenant, id }: Call,
  language?: Language,
): Promise<TransactionRead> {
  const waitUntilMs = Date.now() + assessmentWait.ms;
  for (;;) {
    const result = await dependencies.transactions.read({ tenant, id }, language);
    if (result.view.assessed || Date.now() + assessmentWait.pauseMs >= waitUntilMs) return result;
    await pause(assessmentWait.pauseMs);
  }
}
