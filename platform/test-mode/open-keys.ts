import type { SharedConfig } from '../config';
import type { Keys } from '../keys/keys';
import type { ServiceKeys } from '../keys/service-keys';
import { openKeys, requireEnvironment } from '../keys/root-secret';
import type { Pool } from '../postgres';
import { openTestMode } from './test-mode';

/**
 * The keys of the service for one environment. This is the only place where a process decides whether test phones have a fixed code.
 * Throws ConfigurationError in the same cases as `openKeys`, and if the database belongs to another environment.
 */
export async function openKeysOfEnvironment(
  pool: Pool,
  serviceKeys: ServiceKeys,
  config: Pick<SharedConfig, 'COUNTERSIGN_ENV' | 'TEST_MODE'>,
): Promise<Keys> {
  const keys = await openKeys(pool, serviceKeys);
  await requireEnvironment(pool, config.COUNTERSIGN_ENV);
  const testMode = openTestMode(config);
  return testMode
    ? { ...keys, hasTestCode: (destination) => testMode.findDestination(destination) !== undefined }
    : keys;
}
