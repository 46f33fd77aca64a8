import { withEvidence } from '../domain/outcome';
import type { Logger } from '../platform/logger';
import type { Pool } from '../platform/postgres';
import type { Activities } from '../workflows/ports';
import { findEvidence } from './scoring/evidence/find-evidence';
import { keepState } from './store/transactions.sql';

/** Finds evidence on a new transaction and keeps its first record, the same that the workflow then takes over. */
export function createAssessor(pool: Pool, logger: Logger): Activities['assessTransaction'] {
  return async (state) => {
    const evidence = findEvidence(state.input, (finder) =>
      logger.warn({ transactionId: state.id, finder }, 'evidence could not be looked for'),
    );
    await keepState(pool, withEvidence(state, evidence));
    return evidence;
  };
}
