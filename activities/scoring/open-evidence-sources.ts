import type { WorkerConfig } from '../../platform/config';
import type { Keys } from '../../platform/keys/service-keys';
import type { Logger } from '../../platform/logger';
import type { Pool } from '../../platform/postgres/postgres';
import { createMailServers } from './evidence/email';
import type { EvidenceSources } from './gather-evidence';
import { createHttpBureau } from './http-bureau';
import { createPostgresLinkGraph } from './postgres-link-graph';

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
