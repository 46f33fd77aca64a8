import { Webhook as Verifier } from 'standardwebhooks';
import { startCaller } from '../../activities/webhooks/webhook-world';
import { waitUntil } from '../../support/wait-until';
import { expectProblem } from '../support/expect-problem';
import { newPerson } from '../support/new-person';
import type { GetTestStack } from '../support/test-stack';

interface WebhookResource {
  id: string;
  secret: string;
  status: string;
}

interface Delivery {
  id: string;
  type: string;
  state: string;
  response?: { status: number; body: string };
}

/** Webhooks that callers create themselves. */
export function describeWebhooks(getTestStack: GetTestStack): void {
  describe('webhooks', () => {
    it('a webhook gets every event of a transaction in order, with a signature and the status of the transaction', async () => {
      const { api, inbox } = getTestStack();
      const receiver = await startCaller();
      const created = await api.post('/v1/webhooks', { body: { url: receiver.url } });
      const webhook = created.body as WebhookResource;
      expect([created.status, webhook.status]).toEqual([201, 'enabled']);
      const person = newPerson();
      const path = await api.createTransaction(person.body);
      await api.post(`${path}/sms/tokens`);
      await api.post(`${path}/sms/tokens/validate`, { body: { value: await inbox.waitForCode(person.phone, 'sms') } });
      const id = path.split('/').at(-1) ?? '';
      const eventsOf = () =>
        receiver.received
          .map(({ body, headers }) => new Verifier(webhook.secret).verify(body, headers) as Record<string, unknown>)
          .filter(({ transactionId }) => transactionId === id);
      const { events } = await waitUntil(async () => {
        const found = (await api.get(`/v1/transactions/${id}/events`)).body as { events: unknown[] };
        return found.events.length === eventsOf().length && found.events.length > 4 && found;
      });
      expect(eventsOf()).toEqual(events);
      expect(eventsOf().at(-1)?.['status']).toBe('Confirmed');
      await api.request('DELETE', `/v1/webhooks/${webhook.id}`);
      await receiver.stop();
    });

    it('a webhook can be tested, disabled, given a new secret and deleted, and its deliveries show the answers of the server', async () => {
      const { api } = getTestStack();
      const receiver = await startCaller((_, response) => void response.writeHead(418).end('no tea'));
      const body = { url: receiver.url, events: ['confirmation.read'] };
      const { id } = (await api.post('/v1/webhooks', { body })).body as WebhookResource;
      const path = `/v1/webhooks/${id}`;
      await api.post(`${path}/test`);
      const delivery = await waitUntil(async () => {
        const { deliveries } = (await api.get(`${path}/deliveries`)).body as { deliveries: Delivery[] };
        return deliveries[0]?.response && deliveries[0];
      });
      expect(delivery).toMatchObject({
        type: 'webhook.test',
        state: 'Waiting',
        response: { status: 418, body: 'no tea' },
      });
      expectProblem(await api.post(`${path}/deliveries/${delivery.id}/redeliver`), 409, 'delivery_waiting');
      expect((await api.get(`${path}/deliveries?state=Parked`)).body).toEqual({ deliveries: [] });
      expect((await api.request('PUT', path, { body: { ...body, enabled: false } })).body).toMatchObject({
        status: 'disabled',
      });
      expectProblem(await api.post(`${path}/test`), 409, 'webhook_disabled');
      const rotated = (await api.post(`${path}/secret`, { body: {} })).body as WebhookResource;
      expect(rotated.secret).toMatch(/^whsec_/);
      expect((await api.request('DELETE', path)).status).toBe(204);
      expectProblem(await api.get(path), 404, 'webhook_not_found');
      await receiver.stop();
    });

    it('a tenant has at most ten webhooks, and each needs an HTTP URL and valid event patterns', async () => {
      const { api } = getTestStack();
      const invalid = await api.post('/v1/webhooks', {
        body: { url: 'ftp://example.com', events: ['confirmations.*', '*'] },
      });
      expect(Object.keys((invalid.body as { errors: object }).errors)).toEqual(['url', 'events.0']);
      const create = () =>
        api.post('/v1/webhooks', { body: { url: 'http://127.0.0.1:9/', events: ['confirmation.read'] } });
      const { webhooks } = (await api.get('/v1/webhooks')).body as { webhooks: unknown[] };
      const responses = await Promise.all(Array.from({ length: 12 }, create));
      const ids = responses.flatMap(({ status, body }) => (status === 201 ? [(body as WebhookResource).id] : []));
      expect(webhooks.length + ids.length).toBe(10);
      expectProblem(await create(), 422, 'webhook_limit_reached');
      for (const id of ids) await api.request('DELETE', `/v1/webhooks/${id}`);
    });
  });
}
