import { setTimeout as pause } from 'node:timers/promises';
import type { Call } from '../http/route';
import type { Language } from '../../domain/language';
import type { TransactionRead } from './transactions';

/** The initial score is ready about 100 ms after the create. A caller that reads at once should get it. */
const assessmentWait = { ms: 2_000, pauseMs: 100 } as const;

/** Reads a transaction; waits up to 2 s for its first assessment. */
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
