import { ApplicationFailure } from '@temporalio/activity';
import { withAssessment } from '../domain/outcome';
import type { Assessment } from '../domain/scoring/assessment';
import type { Policy } from '../domain/scoring/policy';
import type { TransactionState } from '../domain/state';
import type { Logger } from '../platform/logger';
import { isOutage } from '../platform/outage';
import { faultName, type Pool } from '../platform/postgres';
import type { Activities, AnotherLook } from '../workflows/ports';
import { gatherEvidence, type Sources } from './scoring/gather-evidence';
import { findState, saveState } from '../store/record/transactions.sql';

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

/** What an earlier attempt has saved whose result was lost: callers may have read its score, so it stays. */
async function savedBefore(pool: Pool, state: TransactionState): Promise<Assessment | undefined> {
  const saved = await findState(pool, state);
  return saved?.version === state.version && saved.evidence && saved.policy
    ? { evidence: saved.evidence, policy: saved.policy }
    : undefined;
}

/** Finds evidence on a new transaction and keeps its first record, the same that the workflow then takes over. */
export function createAssessor(parts: AssessmentParts): Activities['assessTransaction'] {
  return async (state) => {
    const { tenant, id, input, createdAt } = state;
    const assessment = await assess(parts, { tenant, id, input, createdAt, known: {} });
    if ((await saveState(parts.pool, withAssessment(state, assessment))).saved) return assessment;
    return (await savedBefore(parts.pool, state)) ?? assessment;
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
