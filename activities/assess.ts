import { ApplicationFailure } from '@temporalio/activity';
import { withAssessment } from '../domain/outcome';
import type { Assessment } from '../domain/scoring/assessment';
import type { Policy } from '../domain/scoring/policy';
import type { TransactionState } from '../domain/state';
import type { Logger } from '../platform/logger';
import { isOutage } from '../platform/outage';
import { errorName, type Pool } from '../platform/postgres';
import type { Activities, Reassessment } from '../workflows/ports';
import { gatherEvidence, type Sources } from './scoring/gather-evidence';
import { findState, saveState } from '../store/record/transactions.sql';

export interface AssessmentDependencies extends Sources {
  pool: Pool;
  logger: Logger;
  policies: { of(tenant: string): Policy };
}

async function assess(dependencies: AssessmentDependencies, { known, ...subject }: Reassessment): Promise<Assessment> {
  const policy = dependencies.policies.of(subject.tenant);
  const onFailure = (finder: string) =>
    dependencies.logger.warn({ transactionId: subject.id, finder }, 'an evidence source failed');
  return { evidence: await gatherEvidence(dependencies, subject, policy, onFailure, known), policy };
}

/** What an earlier attempt has saved whose result was lost: callers may have read its score, so it stays. */
async function savedBefore(pool: Pool, state: TransactionState): Promise<Assessment | undefined> {
  const saved = await findState(pool, state);
  return saved?.version === state.version && saved.evidence && saved.policy
    ? { evidence: saved.evidence, policy: saved.policy }
    : undefined;
}

/** Finds evidence on a new transaction and keeps its first record, the same that the workflow then takes over. */
export function createAssessor(dependencies: AssessmentDependencies): Activities['assessTransaction'] {
  return async (state) => {
    const { tenant, id, input, createdAt } = state;
    const assessment = await assess(dependencies, { tenant, id, input, createdAt, known: {} });
    if ((await saveState(dependencies.pool, withAssessment(state, assessment))).saved) return assessment;
    return (await savedBefore(dependencies.pool, state)) ?? assessment;
  };
}

/** Finds evidence anew. A fault of ours is final, so that its caller is told; while the database is away it is tried again. */
export function createReassessor(dependencies: AssessmentDependencies): Activities['reassessTransaction'] {
  return async (looked) => {
    try {
      return await assess(dependencies, looked);
    } catch (error) {
      if (isOutage(error)) throw error;
      dependencies.logger.error({ transactionId: looked.id, failure: errorName(error) }, 'an analysis failed');
      throw ApplicationFailure.nonRetryable('The analysis failed.', 'AnalysisFailed');
    }
  };
}
