import { ApplicationFailure } from '@temporalio/activity';
import type { WorkerConfig } from '../../platform/config';
import type { Keys } from '../../platform/keys/service-keys';
import { errorName, type Logger } from '../../platform/logger';
import { isOutage } from '../../platform/outage';
import type { Pool } from '../../platform/postgres/postgres';
import { createMailServers } from '../../scoring/evidence/email';
import { assess, type AssessmentDependencies, type EvidenceSources } from '../../scoring/gather-evidence';
import { createPostgresLinkGraph } from '../../scoring/postgres-link-graph';
import type { Activities } from '../../workflows/contract/activities';
import { createHttpBureau } from './http-bureau';

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

/** Opens the sources of evidence that the settings define. */
export function openEvidenceSources(
  config: Pick<WorkerConfig, 'MX_TIMEOUT_MS' | 'BUREAU_URL' | 'BUREAU_TOKEN' | 'BUREAU_TIMEOUT_MS'>,
  { pool, keys, logger }: { pool: Pool; keys: Keys; logger: Logger },
): EvidenceSources {
  const { BUREAU_URL: url, BUREAU_TOKEN: token, BUREAU_TIMEOUT_MS: timeoutMs, MX_TIMEOUT_MS } = config;
  const onFailure = (reason: string) => logger.warn({ reason }, 'the bureau returned no findings');
  const bureau = url ? createHttpBureau({ url, timeoutMs, onFailure, ...(token ? { token } : {}) }) : undefined;
  return {
    linkGraph: createPostgresLinkGraph(pool, keys),
    mailServers: createMailServers({ timeoutMs: MX_TIMEOUT_MS }),
    bureauOf: () => bureau,
  };
}
