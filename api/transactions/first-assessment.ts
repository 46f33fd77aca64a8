import { withAssessment } from '../../domain/transactions/outcome';
import type { TransactionState } from '../../domain/transactions/state';
import { openTestMode } from '../../messages/test-mode';
import type { ApiConfig } from '../../platform/config';
import { within } from '../../platform/deadline';
import type { Keys } from '../../platform/keys/service-keys';
import { errorName, type Logger } from '../../platform/logger';
import type { Pool } from '../../platform/postgres/postgres';
import { asService } from '../../platform/postgres/tenant-scope';
import { createMailServers } from '../../scoring/evidence/email';
import { assess, type AssessmentDependencies } from '../../scoring/gather-evidence';
import { openPolicies } from '../../scoring/policy/policies';
import { createPostgresLinkGraph } from '../../scoring/postgres-link-graph';
import { withTestEvidence } from '../../scoring/test-evidence';
import { type RecordKeys, saveState } from '../../store/transactions/transactions.sql';

/**
 * Assesses a transaction whose record has just been created, and saves the record with its first score. Returns the state of the record.
 * Never fails: if there is no assessment in time, returns `state`, and the workflow makes the first assessment.
 */
export type FirstAssessment = (state: TransactionState) => Promise<TransactionState>;

/** The version of a record that has its first assessment, and that no command has changed. */
export const assessedVersion = 1;

/**
 * How long the caller of a create waits for the assessment. It takes some 5 ms. If the domain of a mailbox must be looked up, it takes as
 * long as DNS. The rest of the 2 s in which a create is answered is for the start of the workflow.
 */
const assessmentMs = 300;

interface RecordNeeds {
  pool: Pool;
  transactionKeys: RecordKeys;
}

/**
 * Opens the first assessment with the sources and policies that the settings define. A transaction that a bureau is asked about is left to
 * its workflow: the request is slow and costs money, so an activity makes it once. Throws PolicyError.
 */
export function openFirstAssessment(
  config: Pick<ApiConfig, 'BUREAU_URL' | 'SCORING_POLICIES' | 'MX_TIMEOUT_MS' | 'COUNTERSIGN_ENV' | 'TEST_MODE'>,
  { keys, logger, ...needs }: RecordNeeds & { keys: Keys; logger: Logger },
): FirstAssessment {
  const policies = openPolicies(config.SCORING_POLICIES);
  logger.info({ versions: policies.versions }, 'scoring policies loaded');
  if (config.BUREAU_URL !== undefined) return async (state) => state;
  const testMode = openTestMode(config);
  const linkGraph = createPostgresLinkGraph(needs.pool, keys);
  const mailServers = createMailServers({ timeoutMs: config.MX_TIMEOUT_MS });
  const testEvidence = testMode && withTestEvidence(testMode, { linkGraph });
  return createFirstAssessment({ ...needs, logger, policies, linkGraph, mailServers, ...testEvidence });
}

export function createFirstAssessment(dependencies: AssessmentDependencies & RecordNeeds): FirstAssessment {
  const { pool, transactionKeys, policies, logger } = dependencies;
  const assessAndSave = async (state: TransactionState): Promise<TransactionState> => {
    const { tenant, id, input, createdAt } = state;
    const gather = () => assess(dependencies, { tenant, id, input, createdAt, earlierLookups: {} });
    // A shared history has observations of other tenants.
    const isShared = policies.policyFor(tenant).history === 'shared';
    const assessment = await (isShared ? asService(gather) : gather());
    const changedAt = new Date().toISOString();
    const assessed = { ...withAssessment(state, assessment), version: assessedVersion, changedAt };
    const { newerRecord } = await saveState(pool, transactionKeys, assessed, state.version);
    return newerRecord ?? assessed;
  };
  return (state) =>
    within(assessmentMs, assessAndSave(state), () => state).catch((error: unknown) => {
      logger.warn({ transactionId: state.id, failure: errorName(error) }, 'the workflow makes the first assessment');
      return state;
    });
}
