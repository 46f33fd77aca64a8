import type { RecordKeys } from '../store/transactions/transactions.sql';
import { cancellationSignal, heartbeat } from '@temporalio/activity';
import type { WorkerConfig } from '../platform/config';
import { openImageStore } from '../images/s3-store';
import { createSealedImages } from '../images/sealed-images';
import { createUploads } from '../images/uploads';
import { addAuditEntry } from '../platform/audit';
import type { Keys } from '../platform/keys/service-keys';
import type { Logger } from '../platform/logger';
import { openPool, type Pool } from '../platform/postgres/postgres';
import { slowRulesOf } from '../messages/messaging';
import { readMessaging } from '../messages/read-messaging';
import { readSendingLimits } from '../messages/sending-limits';
import type { Activities, RetentionActivities, WebhookActivities } from '../workflows/contract/activities';
import type { AssessmentDependencies } from '../scoring/gather-evidence';
import { createAssessor, createReassessor, openEvidenceSources } from './scoring/assess';
import { createDelivery, type DeliveryDependencies } from './messages/deliver';
import { createReservation } from './messages/reserve';
import { createDeliveryCheck, type DeliveryCheckDependencies } from './messages/find-delivery';
import { type ConditionCompute, createRuleChooser, openConditionCompute } from './flows/choose-rule';
import { createHashActivities } from './messages/compose-message';
import { createFaceVerification, type FaceDependencies, openFaceVerifier } from './biometrics/verify-faces';
import { createEraser, createImageCleanup, type EraserDependencies } from './biometrics/clean-up-images';
import { openPolicies } from '../scoring/policy/policies';
import { openRoutes } from './providers/open-routes';
import { watchApprovals } from './providers/watch-approvals';
import { watchHealth } from './providers/watch-health';
import { createMessageLimits } from './messages/limits';
import { createRecorder } from './save-record';
import { createRowCleanup } from './privacy/clean-up-rows';
import { createExpiry, readRetentionDays } from './privacy/erase-expired';
import type { TransactionKeys } from '../platform/keys/data-keys';
import type { ErasureDependencies } from '../store/privacy/erase-transaction';
import { openErasureLog } from '../store/privacy/erasure-log';
import { withTestValues } from './test-mode/with-test-values';
import { createEventDelivery, createNotificationCheck } from './webhooks/deliver-events';
import { createPostWebhook } from './webhooks/post-webhook';

export interface ActivityDependencies
  extends DeliveryDependencies,
    DeliveryCheckDependencies,
    AssessmentDependencies,
    Omit<FaceDependencies, 'audit'>,
    EraserDependencies {
  pool: Pool;
  logger: Logger;
  transactionKeys: RecordKeys;
  images: FaceDependencies['images'] & EraserDependencies['images'];
  conditionCompute: ConditionCompute;
}

/** Creates the activities that the workflow of a transaction calls. */
export function createActivities(dependencies: ActivityDependencies): Activities {
  return {
    assessTransaction: createAssessor(dependencies),
    reassessTransaction: createReassessor(dependencies),
    deliverMessage: createDelivery(dependencies),
    findDelivery: createDeliveryCheck(dependencies),
    reserveSend: createReservation(dependencies),
    saveRecord: createRecorder(dependencies),
    verifyFaces: createFaceVerification({ ...dependencies, audit: (entry) => addAuditEntry(dependencies.pool, entry) }),
    eraseImages: createEraser(dependencies),
    ...createHashActivities(dependencies.keys),
    chooseRule: createRuleChooser((tenant, rules) => dependencies.conditionCompute.run(tenant, 'chooseRule', rules)),
    checkNotification: createNotificationCheck(dependencies),
  };
}

/** What the worker has opened before it creates the activities. */
interface OpenedDependencies {
  pool: Pool;
  keys: Keys;
  transactionKeys: TransactionKeys;
  endWorkflow: ErasureDependencies['endWorkflow'];
  /** Rejects if Temporal is unavailable. */
  askTemporal: () => Promise<unknown>;
}

/**
 * The number of database connections for background work, such as erasing images. They are separate, so that this work never delays a send.
 */
const backgroundPoolSize = 4;

/**
 * Creates the activities, and opens the connections that they need in addition to `pool`. Call `close` when no activity runs any more.
 * It closes these connections and also `pool`.
 */
export function openActivities(
  config: WorkerConfig,
  { pool, keys, transactionKeys, endWorkflow, askTemporal }: OpenedDependencies,
  logger: Logger,
): { activities: Activities & RetentionActivities & WebhookActivities; close: () => Promise<void> } {
  const backgroundPool = openPool(config, logger, backgroundPoolSize);
  const policies = openPolicies(config.SCORING_POLICIES);
  logger.info({ versions: policies.versions }, 'scoring policies loaded');
  const messaging = readMessaging(config);
  const opened = openRoutes(messaging, { config, keys, pool, logger });
  const { routes, givesReports, health, approvals, close: closeProviders } = opened;
  const healthWatch = watchHealth({ pool: backgroundPool, health, rules: slowRulesOf(messaging), logger });
  void healthWatch.run();
  const approvalWatch = watchApprovals({ approvals, logger });
  const images = createSealedImages(backgroundPool, keys, openImageStore(config));
  const erasureLog = openErasureLog(config);
  const conditionCompute = openConditionCompute();
  const dependencies = withTestValues<ActivityDependencies>(config, messaging, {
    conditionCompute,
    pool,
    keys,
    transactionKeys,
    logger,
    images,
    erasureLog,
    routes,
    givesReports,
    ...openEvidenceSources(config, { pool, keys, logger }),
    ...openFaceVerifier(config, logger),
    policies,
    publicUrl: config.PUBLIC_URL,
    reconcile: config.RECONCILE_SENDS,
    limits: createMessageLimits(readSendingLimits(config)),
  });
  const activities = createActivities(dependencies);
  const cleanUpImages = createImageCleanup({
    images,
    uploads: createUploads(backgroundPool, keys),
    logger,
    signal: cancellationSignal,
  });
  const eraseExpiredTransactions = createExpiry({
    pool: backgroundPool,
    transactionKeys,
    erasureLog,
    endWorkflow,
    askTemporal,
    retentionDays: readRetentionDays(config.RETENTION_DAYS),
    logger,
    signal: cancellationSignal,
  });
  const cleanUpRows = createRowCleanup({
    pool: backgroundPool,
    keys,
    erasureLog,
    erasureLogDays: config.ERASURE_LOG_DAYS,
    logger,
    heartbeat,
    signal: cancellationSignal,
  });
  const deliverEvents = createEventDelivery({
    pool: backgroundPool,
    keys,
    logger,
    postWebhook: createPostWebhook({ publicOnly: config.COUNTERSIGN_ENV !== 'local' }),
  });
  const close = async () => {
    healthWatch.stop();
    approvalWatch.stop();
    closeProviders();
    await Promise.all([pool.end(), backgroundPool.end(), conditionCompute.close()]);
  };
  return { activities: { ...activities, cleanUpImages, cleanUpRows, eraseExpiredTransactions, deliverEvents }, close };
}
