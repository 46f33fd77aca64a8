import type { WorkerConfig } from '../../platform/config';
import { openTestMode } from '../../messages/test-mode';
import { PostgresDayKeys } from '../../store/messages/day-keys';
import type { DeliveryDependencies } from '../deliver';
import type { EvidenceSources } from '../scoring/gather-evidence';
import { createUsesLocalInbox, withTestDestinations } from './test-channels';
import { withTestEvidence } from './test-evidence';
import { withTestLimits } from './test-limits';

/**
 * In test mode, returns channels, limits and sources of evidence that know the test values. Without test mode, returns the dependencies
 * unchanged. Production never has test mode.
 */
export function withTestValues<Dependencies extends DeliveryDependencies & EvidenceSources>(
  config: WorkerConfig,
  dependencies: Dependencies,
): Dependencies {
  const testMode = openTestMode(config);
  if (!testMode) return dependencies;
  const { pool, keys, channels, limits, logger } = dependencies;
  logger.info('test mode is on: test phones, mailboxes and documents have fixed outcomes');
  const dayKeys = new PostgresDayKeys(pool, keys.serviceKeys);
  return {
    ...dependencies,
    ...withTestEvidence(testMode, dependencies),
    channels: withTestDestinations(channels, {
      testMode,
      pool,
      keys,
      dayKeys,
      isInbox: createUsesLocalInbox(config),
    }),
    limits: withTestLimits(testMode, limits),
  };
}
