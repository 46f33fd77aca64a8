import { withAssessment } from '../../domain/transactions/outcome';
import type { TransactionState } from '../../domain/transactions/state';
import { openTestMode } from '../../messages/test-mode';
import type { ApiConfig } from '../../platform/config';
import { within } from '../../platform/deadline';
import type { Keys } from '../../platform/keys/service-keys';
import { errorName, type Logger } from '../../platform/logger';
import type { Pool } from '../../platform/postgres/postgres';
import { createMailServers } from '../../scoring/evidence/email';
import { assess, type AssessmentDependencies } from '../../scoring/gather-evidence';
import type { Policies } from '../../scoring/policy/policies';
import { createPostgresLinkGraph } from '../../scoring/postgres-link-graph';
import { withTestEvidence } from '../../scoring/test-evidence';
import { type RecordKeys, saveState } from '../../store/transactions/transactions.sql';

/**
 * Assesses a transaction whose record has just been created, and saves the record with its first score. Returns the state of the record.
 * Never fails: without evidence in time, returns `state`, and the workflow makes the first assessment.
 */
export type FirstAssessment = (state: TransactionState) => Promise<TransactionState>;

/**
 * How long the caller of a create waits for the evidence. It takes some 5 ms. If the domain of a mailbox must be looked up, it takes as long
 * as DNS.
 */
const evidenceMs = 300;

/** How long the caller waits for the save. The rest of the 2 s in which a create is answered is for the start of the workflow. */
const saveMs = 300;

interface RecordNeeds {
  pool: Pool;
  transactionKeys: RecordKeys;
}

/**
 * Opens the first assessment with the sources that the settings define. A transaction that a bureau is asked about is left to its workflow:
 * the request is slow and costs money, so an activity makes it once.
 */
export function openFirstAssessment(
  config: Pick<ApiConfig, 'BUREAU_URL' | 'MX_TIMEOUT_MS' | 'COUNTERSIGN_ENV' | 'TEST_MODE'>,
  { keys, policies, logger, ...needs }: RecordNeeds & { keys: Keys; policies: Policies; logger: Logger },
): FirstAssessment {
  if (config.BUREAU_URL !== undefined) return async (state) => state;
  const testMode = openTestMode(config);
  const linkGraph = createPostgresLinkGraph(needs.pool, keys);
  const mailServers = createMailServers({ timeoutMs: config.MX_TIMEOUT_MS });
  const testEvidence = testMode && withTestEvidence(testMode, { linkGraph });
  return createFirstAssessment({ ...needs, logger, policies, linkGraph, mailServers, ...testEvidence });
}

/** Creates the first assessment from its sources. Evidence that comes too late is dropped, so it never meets the work of the workflow. */
export function createFirstAssessment(dependencies: AssessmentDependencies & RecordNeeds): FirstAssessment {
  const { pool, transactionKeys, logger } = dependencies;
  const leaveToWorkflow = ({ id }: TransactionState, failure: string) =>
    logger.warn({ transactionId: id, failure }, 'the first assessment is left to the workflow');
  return async (state) => {
    const { tenant, id, input, createdAt } = state;
    const gathering = assess(dependencies, { tenant, id, input, createdAt, earlierLookups: {} });
    try {
      const assessment = await within(evidenceMs, gathering, () => undefined);
      if (!assessment) {
        leaveToWorkflow(state, 'Timeout');
        return state;
      }
      const changedAt = new Date().toISOString();
      const assessed = { ...withAssessment(state, assessment, changedAt), version: state.version + 1, changedAt };
      const saving = saveState(pool, transactionKeys, assessed, state.version);
      const saved = await within(saveMs, saving, () => undefined);
      // A save that ends later makes the record newer than the workflow, which then continues from the record.
      if (!saved) {
        leaveToWorkflow(state, 'SlowSave');
        return state;
      }
      return saved.newerRecord ?? assessed;
    } catch (error) {
      leaveToWorkflow(state, errorName(error));
      return state;
    }
  };
}
