import { ApplicationFailure } from '@temporalio/activity';
import type { EvidenceAndPolicy } from '../../domain/scoring/evidence';
import type { Policy } from '../../domain/scoring/policy';
import type { Logger } from '../../platform/logger';
import { isOutage } from '../../platform/outage';
import { errorName } from '../../platform/postgres/postgres';
import type { Activities, TransactionToReassess } from '../../workflows/ports';
import { type EvidenceSources, gatherEvidence } from './gather-evidence';

export interface AssessmentDependencies extends EvidenceSources {
  logger: Logger;
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

/** Creates the activity that finds the first evidence on a transaction. */
export const createAssessor =
  (dependencies: AssessmentDependencies): Activities['assessTransaction'] =>
  (transaction) =>
    assess(dependencies, { ...transaction, earlierLookups: {} });

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
