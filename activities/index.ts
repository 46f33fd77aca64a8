import type { WorkerConfig } from '../platform/config';
import { deriveKeys, type Keys } from '../platform/keys';
import type { Logger } from '../platform/logger';
import { openPool, type Pool } from '../platform/postgres';
import type { Activities } from '../workflows/ports';
import { type AssessmentParts, createAssessor, createReassessor } from './assess';
import type { DeliveryParts } from './deliver';
import { createDelivery } from './create-delivery';
import { openSources } from './scoring/open-sources';
import { openPolicies } from './scoring/policy/policies';
import { openChannels } from './messaging/open-channels';
import { createRecorder } from './record';

export interface ActivityParts extends DeliveryParts, AssessmentParts {
  pool: Pool;
  keys: Keys;
  logger: Logger;
}

/** Everything a transaction needs of the outside world. */
export function createActivities(parts: ActivityParts): Activities {
  const { pool, keys, logger } = parts;
  return {
    assessTransaction: createAssessor(parts),
    reassessTransaction: createReassessor(parts),
    deliverMessage: createDelivery(parts, logger),
    recordTransaction: createRecorder(pool, keys, logger),
  };
}

/** The activities on the connections that the settings name. `close` ends these once no activity runs any more. */
export function openActivities(
  config: WorkerConfig,
  logger: Logger,
): { activities: Activities; close: () => Promise<void> } {
  const pool = openPool(config.DATABASE_URL, logger);
  const keys = deriveKeys(config.SERVICE_KEY);
  const policies = openPolicies(config.SCORING_POLICIES);
  logger.info({ versions: policies.versions }, 'scoring policies');
  const { channels, close: closeChannels } = openChannels(config, keys);
  const activities = createActivities({
    pool,
    keys,
    logger,
    channels,
    ...openSources(config, { pool, keys, logger }),
    policies,
    publicUrl: config.PUBLIC_URL,
    reconcile: config.RECONCILE_SENDS,
  });
  const close = async () => {
    closeChannels();
    await pool.end();
  };
  return { activities, close };
}
