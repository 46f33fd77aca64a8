import type { NativeConnection } from '@temporalio/worker';
import { prepareTemporal } from '../../api/prepare';
import { ConfigurationError } from '../../platform/config';
import { createLogger } from '../../platform/logger';
import type { Pool } from '../../platform/postgres/postgres';
import { useTestPool } from '../support/test-pool';

const options = { logger: createLogger('test', 'silent'), isStopping: () => false };

let pool: Pool;
useTestPool((opened) => {
  pool = opened;
});

test('if Temporal forbids the API to add search attributes (indexed fields), the start fails and names commands to add them', async () => {
  const operatorService = {
    listSearchAttributes: async () => ({ customAttributes: {} }),
    addSearchAttributes: () => Promise.reject(Object.assign(new Error('not allowed'), { code: 7 })),
  };
  const connection = { operatorService } as unknown as NativeConnection;
  const start = prepareTemporal(options, pool, async () => connection, {
    TEMPORAL_ADDRESS: '127.0.0.1:7233',
    TEMPORAL_NAMESPACE: 'acme.a1b2',
  });
  await expect(start).rejects.toThrow(ConfigurationError);
  await expect(start).rejects.toThrow(
    /temporal operator search-attribute create --address 127\.0\.0\.1:7233 --namespace acme\.a1b2/,
  );
});
