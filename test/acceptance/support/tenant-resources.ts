import type { Pool } from 'pg';
import { captureKinds } from '../../../domain/biometrics/biometrics';
import { smsTokenFlow } from '../../../flows/sms-token.flow';
import { LinkBrowser } from '../../api/biometrics/link/link-browser';
import { noiseImage } from '../../images/test-images';
import type { ApiClient } from './api-client';
import { newPerson } from './new-person';

/** The value of each path parameter, for resources of one tenant. */
export type ResourceIds = Record<
  'id' | 'runId' | 'name' | 'version' | 'reviewId' | 'blockId' | 'entryId' | 'webhookId' | 'deliveryId',
  string
>;

/** Opens the link, consents and submits all images. */
export async function submitAllImages(linkUrl: string): Promise<void> {
  const browser = new LinkBrowser(linkUrl);
  const image = await noiseImage(900, 700);
  await browser.openAndConsent();
  for (const kind of captureKinds) await browser.upload(kind, image);
  const { status, body } = await browser.post('/submit');
  if (status !== 200) throw new Error(`The images were not submitted: ${JSON.stringify(body)}`);
}

/**
 * Creates one resource of each kind. `api`: a caller of the tenant with all scopes. `name`: the name of the flow. `prefix`: the blocked
 * phone prefix.
 */
export async function createTenantResources(
  api: ApiClient,
  { tenant, pool, name, prefix }: { tenant: string; pool: Pool; name: string; prefix: string },
): Promise<ResourceIds> {
  const path = await api.createTransaction(newPerson().body);
  const { name: _, version: __, ...definition } = smsTokenFlow;
  const code = { ...definition.steps.code, resendAfterSeconds: 1 };
  for (const version of [1, 2]) {
    await api.request('PUT', `/v1/flows/${name}`, {
      body: { ...definition, title: `Version ${version}`, steps: { ...definition.steps, code } },
    });
    await api.post(`/v1/flows/${name}/activate`, { body: { version } });
  }
  const run = (await api.post(`${path}/flows/${name}`)).body as { runId: string };
  const link = (await api.post(`${path}/biometrics`, { body: {} })).body as { id: string; url: string };
  await submitAllImages(link.url);
  const block = await pool.query<{ id: string }>(
    `insert into send_blocks (tenant, prefix, reason, sent, answered, ends_at)
     values ($1, $2, 'lowAnswerRate', 20, 0, now() + interval '12 hours') returning id`,
    [tenant, prefix],
  );
  const blockId = block.rows[0]?.id ?? '';
  const entry = (
    await api.post('/v1/lists', { body: { list: 'allow', kind: 'domain', domain: 'a.example', reason: 'r' } })
  ).body as { id: string };
  // The transaction causes no event of this type. So the webhook sends nothing while tests compare the rows of the tenant.
  const webhookBody = { url: `${api.address}/nothing`, events: ['confirmation.read'] };
  const webhook = (await api.post('/v1/webhooks', { body: webhookBody })).body as { id: string };
  const parked = await pool.query<{ id: string }>(
    `insert into webhook_deliveries (webhook_id, tenant, type, state, give_up_at)
     values ($1, $2, 'webhook.test', 'Parked', now()) returning id`,
    [webhook.id, tenant],
  );
  return {
    id: path.split('/').at(-1) ?? '',
    runId: run.runId,
    name,
    version: '1',
    reviewId: link.id,
    blockId,
    entryId: entry.id,
    webhookId: webhook.id,
    deliveryId: parked.rows[0]?.id ?? '',
  };
}
