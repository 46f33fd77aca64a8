import { ApplicationFailure } from '@temporalio/activity';
import { withAssessment } from '../domain/outcome';
import type { Assessment } from '../domain/scoring/assessment';
import type { Policy } from '../domain/scoring/policy';
import type { TransactionState } from '../domain/state';
import type { Logger } from '../platform/logger';
import { faultName, isOutage, type Pool } from '../platform/postgres';
import type { Activities, AnotherLook } from '../workflows/ports';
import { gatherEvidence, type Sources } from './scoring/gather-evidence';
import { findState, keepState } from './store/transactions.sql';

export interface AssessmentParts extends Sources {
  pool: Pool;
  logger: Logger;
  policies: { of(tenant: string): Policy };
}

async function assess(parts: AssessmentParts, { known, ...subject }: AnotherLook): Promise<Assessment> {
  const policy = parts.policies.of(subject.tenant);
  const onFault = (finder: string) =>
    parts.logger.warn({ transactionId: subject.id, finder }, 'evidence could not be looked for');
  return { evidence: await gatherEvidence(parts, subject, policy, onFault, known), policy };
}

/** What an attempt that ended unheard has kept: a score that callers may have read is not made another. */
async function keptBefore(pool: Pool, state: TransactionState): Promise<Assessment | undefined> {
  const kept = await findState(pool, state);
  return kept?.version === state.version && kept.evidence && kept.policy
    ? { evidence: kept.evidence, policy: kept.policy }
    : undefined;
}

/** Finds evidence on a new transaction and keeps its first record, the same that the workflow then takes over. */
export function createAssessor(parts: AssessmentParts): Activities['assessTransaction'] {
  return async (state) => {
    const { tenant, id, input, createdAt } = state;
    const assessment = await assess(parts, { tenant, id, input, createdAt, known: {} });
    if ((await keepState(parts.pool, withAssessment(state, assessment))).kept) return assessment;
    return (await keptBefore(parts.pool, state)) ?? assessment;
  };
}

/** Finds evidence anew. A fault of ours is final, so that its caller is told; while the database is away it is tried again. */
export function createReassessor(parts: AssessmentParts): Activities['reassessTransaction'] {
  return async (looked) => {
    try {
      return await assess(parts, looked);
    } catch (error) {
      if (isOutage(error)) throw error;
      parts.logger.error({ transactionId: looked.id, failure: faultName(error) }, 'an analysis failed');
      throw ApplicationFailure.nonRetryable('The analysis failed.', 'AnalysisFailed');
    }
  };
}
