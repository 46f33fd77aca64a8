import { ApplicationFailure } from '@temporalio/activity';
import { withAssessment } from '../domain/outcome';
import type { EvidenceAndPolicy } from '../domain/scoring/evidence-and-policy';
import type { Policy } from '../domain/scoring/policy';
import type { TransactionState } from '../domain/state';
import type { Logger } from '../platform/logger';
import { isOutage } from '../platform/outage';
import { errorName, type Pool } from '../platform/postgres';
import type { Activities, TransactionToReassess } from '../workflows/ports';
import { gatherEvidence, type EvidenceSources } from './scoring/gather-evidence';
import type { RecordKeys } from '../store/record/sealed-state';
import { findState, saveState } from '../store/record/transactions.sql';

export interface AssessmentDependencies extends EvidenceSources {
  pool: Pool;
  logger: Logger;
  transactionKeys: RecordKeys;
  policies: { policyFor(tenant: string): Policy };
}

/**
 * Gathers the evidence on a transaction, and returns it with the policy of the tenant. `earlierLookups`: what the bureau and DNS answered
 * in an earlier assessment.
 */
async function assess(
  dependencies: AssessmentDependencies,
  { earlierLookups, ...subject }: TransactionToReassess,
): Promise<EvidenceAndPolicy> {
  const policy = dependencies.policies.policyFor(subject.tenant);
  const onFailure = (finder: string) =>
    dependencies.logger.warn(
      { transactionId: subject.id, finder },
      'a source of evidence failed; the score is computed without its findings',
    );
  return { evidence: await gatherEvidence(dependencies, subject, policy, onFailure, earlierLookups), policy };
}

/**
 * The assessment that an earlier attempt of the activity saved; undefined if there is none. Callers may have read the score of this
 * assessment, so a retry must return the same assessment.
 */
async function findSavedAssessment(
  { pool, transactionKeys }: AssessmentDependencies,
  state: TransactionState,
): Promise<EvidenceAndPolicy | undefined> {
  const record = await findState(pool, transactionKeys, state);
  return record?.version === state.version && record.evidence && record.policy
    ? { evidence: record.evidence, policy: record.policy }
    : undefined;
}

/**
 * Creates the activity that finds the first evidence on a transaction, and saves the evidence in the first record. The workflow then adds
 * the same evidence to its state. If there is already a record, such as that of a resumed transaction, the workflow saves the evidence.
 */
export function createAssessor(dependencies: AssessmentDependencies): Activities['assessTransaction'] {
  return async (state) => {
    const { tenant, id, input, createdAt } = state;
    const assessment = await assess(dependencies, { tenant, id, input, createdAt, earlierLookups: {} });
    const { pool, transactionKeys } = dependencies;
    const { saved } = await saveState(pool, transactionKeys, withAssessment(state, assessment), state.version);
    if (saved) return assessment;
    return (await findSavedAssessment(dependencies, state)) ?? { ...assessment, isUnsaved: true };
  };
}

/**
 * Creates the activity that finds evidence again. Temporal retries the activity while the database is unavailable. Any other error is
 * final, so that the caller gets an answer.
 */
export function createReassessor(dependencies: AssessmentDependencies): Activities['reassessTransaction'] {
  return async (transaction) => {
    try {
      return await assess(dependencies, transaction);
    } catch (error) {
      if (isOutage(error)) throw error;
      dependencies.logger.error({ transactionId: transaction.id, failure: errorName(error) }, 'an analysis failed');
      throw ApplicationFailure.nonRetryable('The analysis failed.', 'AnalysisFailed');
    }
  };
}
