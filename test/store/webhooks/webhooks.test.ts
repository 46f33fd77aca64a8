import { setTimeout as pause } from 'node:timers/promises';
import { webhooksPerTenant } from '../../../domain/webhooks/webhooks';
import { inTransaction, type Pool } from '../../../platform/postgres/postgres';
import { addWebhook, listWebhooks } from '../../../store/webhooks/webhooks.sql';
import { useTestPool } from '../../support/test-pool';

let pool: Pool;
useTestPool((opened) => {
  pool = opened;
});

test('requests at the same time cannot add more webhooks than a tenant may have, and each tenant has its own limit', async () => {
  const settings = { url: 'https://hooks.example.com/', events: ['*'], enabled: true };
  const add = (tenant: string) =>
    inTransaction(pool, async (client) => {
      const webhook = await addWebhook(client, tenant, settings);
      // The other requests begin before this request is committed.
      await pause(50);
      return webhook;
    });
  for (let index = 1; index < webhooksPerTenant; index += 1) await add('acme');
  const added = await Promise.all(Array.from({ length: 8 }, () => add('acme')));
  expect(added.filter(Boolean)).toHaveLength(1);
  expect(await listWebhooks(pool, 'acme')).toHaveLength(webhooksPerTenant);
  expect(await add('other')).toMatchObject({ tenant: 'other' });
});
