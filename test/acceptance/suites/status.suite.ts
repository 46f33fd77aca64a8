import type { GetTestStack } from '../support/test-stack';
import { newPerson } from '../support/new-person';

/** A transaction in GET /v1/transactions. */
interface Resource {
  id: string;
  status: string;
  awaited: { kind: string; attemptsLeft?: number }[];
}

interface Entry {
  type: string;
  status: string;
  message?: { providerId?: string };
}

/** The status, events and timeline of a transaction, and the lists that contain the transaction. */
export function describeStatus(getTestStack: GetTestStack): void {
  describe('the status of a transaction', () => {
    it('a status can be read, listed and waited for, and the timeline has the message id of the provider', async () => {
      const { api, inbox } = getTestStack();
      const person = newPerson();
      const reference = `order ${person.body.document}`;
      const path = await api.createTransaction({ ...person.body, genericFields: { reference } });
      const id = path.split('/').at(-1) ?? '';
      const resource = `/v1/transactions/${id}`;
      await api.post(`${path}/sms/tokens`);
      const sent = (await api.get(resource)).body as Resource;
      expect(sent).toMatchObject({ id, status: 'Open', awaited: [{ kind: 'token', attemptsLeft: 5 }] });

      const { events } = (await api.get(`${resource}/events`)).body as { events: { type: string }[] };
      expect(events.map(({ type }) => type).filter((type) => !type.endsWith('delivered'))).toEqual([
        'transaction.created',
        'score.changed',
        'confirmation.sent',
      ]);
      const after = (await api.get(`${resource}/events`)).body as { next: number };
      const waiting = api.get(`${resource}/events?after=${after.next}&wait=20`);
      await api.post(`${path}/sms/tokens/validate`, { body: { value: await inbox.waitForCode(person.phone, 'sms') } });
      expect(JSON.stringify((await waiting).body)).toMatch(/confirmation\.(delivered|succeeded)/);

      const read = await api.get(`${path}/all`);
      expect(read.headers.get('x-countersign-status')).toBe('Confirmed');
      const { transactions } = (
        await api.get(`/v1/transactions?reference=${encodeURIComponent(reference)}&status=Confirmed`)
      ).body as { transactions: Resource[] };
      expect(transactions.map((one) => one.id)).toEqual([id]);
      const search = await api.post('/v1/search', { body: { by: 'email', email: person.email } });
      expect((search.body as { transactions: Resource[] }).transactions.map((one) => one.id)).toEqual([id]);

      const { entries } = (await api.get(`${resource}/timeline`)).body as { entries: Entry[] };
      expect(entries.find(({ type }) => type === 'confirmation.sent')?.message?.providerId).toMatch(/^SM/);
      expect(entries.at(-1)?.status).toBe('Confirmed');
    });
  });
}
