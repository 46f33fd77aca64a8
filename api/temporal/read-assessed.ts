import { setTimeout as pause } from 'node:timers/promises';
import type { Call } from '../http/route';
import type { Language } from '../../domain/language';
import type { TransactionView } from '../../domain/views';
import type { Source } from './transactions';

/** The initial score is ready about 100 ms after the create. A caller that reads at once should get it. */
const assessmentWait = { ms: 2_000, pauseMs: 100 } as const;

/** Reads a transaction; waits up to 2 s for its first assessment. */
export async function readAssessed(
  { dependencies, tenant, id }: Call,
  language?: Language,
): Promise<{ view: TransactionView; source: Source }> {
  const until = Date.now() + assessmentWait.ms;
  for (;;) {
    const read = await dependencies.transactions.read({ tenant, id }, language);
    if (read.view.assessed || Date.now() + assessmentWait.pauseMs >= until) return read;
    await pause(assessmentWait.pauseMs);
  }
}
