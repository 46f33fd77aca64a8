import { randomUUID } from 'node:crypto';
import { composeMessage } from '../../../activities/messages/compose-message';
import type { Activities } from '../../../workflows/contract/activities';
import {
  attemptDelivery,
  type DeliveryWorld,
  failureOf,
  keys,
  linkOf,
  newDecisionMessage,
  newLinkMessage,
  publicUrl,
  startDeliveryWorld,
} from './delivery-world';

const channels = ['sms', 'whatsapp', 'email'] as const;

describe('composing a message', () => {
  it.each(channels)('composeMessage returns the same link for the same message by %s', (channel) => {
    const message = newLinkMessage(channel);
    const composed = composeMessage(keys, publicUrl, message);
    const link = linkOf(message);
    expect(composed.content).toEqual({ kind: 'link', link });
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:9\/biometrics\/[\w-]{43}$/);
    expect(composed.text).toBe(message.message.body.replace('{{link}}', link));
    expect(composeMessage(keys, publicUrl, message)).toEqual(composed);
  });

  it.each(['tenant', 'transactionId', 'confirmationOrLinkId'])(
    'composeMessage returns another link for another %s',
    (field) => {
      const message = newLinkMessage('sms');
      const otherMessage = composeMessage(keys, publicUrl, { ...message, [field]: randomUUID() });
      expect(otherMessage.content).not.toEqual({ kind: 'link', link: linkOf(message) });
    },
  );

  it('composeMessage adds no code to a message with a link, even if the text has a placeholder for a code', () => {
    const message = newLinkMessage('sms', { message: { body: '{{code}} {{link}}' } });
    const composed = composeMessage(keys, publicUrl, { ...message, settings: { ...message.settings, codeDigits: 6 } });
    expect(composed.content).not.toHaveProperty('code');
    expect(composed.text).toBe(`{{code}} ${linkOf(message)}`);
  });
});

describe('a message about a biometrics link', () => {
  let world: DeliveryWorld;
  let activities: Activities;

  beforeAll(async () => {
    world = await startDeliveryWorld();
    activities = world.openActivities();
  });
  afterAll(() => world.stop());
  afterEach(() => world.planFailures());

  it.each(channels)(
    'a message with a link arrives once by %s, and a repeated attempt returns the same id',
    async (channel) => {
      const message = newLinkMessage(channel);
      const firstResult = await attemptDelivery(activities, message);
      expect(await attemptDelivery(activities, message)).toEqual(firstResult);
      const [received, ...more] = await world.readMessages(message.destination);
      expect(more).toEqual([]);
      expect(received).toMatchObject({ channel, links: [linkOf(message)] });
      const { rows } = await world.pool.query('select * from sends where send_id = $1', [message.sendId]);
      expect(rows).toMatchObject([
        { kind: 'link', settings_name: 'biometrics-link', state: 'accepted', dispatches: 1 },
      ]);
      // Whoever knows the end of the link can open the page, so no row and no log may contain it.
      const linkToken = linkOf(message).split('/').at(-1);
      expect(linkToken).toHaveLength(43);
      for (const text of [JSON.stringify(rows), world.log.join('')]) {
        expect(text).toContain(message.sendId);
        expect(text).not.toContain(linkToken);
      }
    },
  );

  describe.each(['acceptThenDrop', 'acceptThenHang'] as const)(
    'an accepted message without a response (%s)',
    (kind) => {
      it.each(['sms', 'whatsapp'] as const)(
        "if the provider accepts a message by %s and does not respond, the next attempt finds the message in the provider's list",
        async (channel) => {
          const message = newLinkMessage(channel);
          await world.planFailures({ channel, kind });
          expect(await failureOf(attemptDelivery(activities, message))).toMatchObject({ type: 'ProviderUnavailable' });
          await world.skipReconcileWait(message.sendId);
          const delivered = await attemptDelivery(activities, message);
          expect((await world.readMessages(message.destination)).map(({ id }) => id)).toEqual([delivered.providerId]);
        },
      );
    },
  );

  it('without reconciliation, a WhatsApp message that gets no response is sent a second time', async () => {
    const withoutReconciliation = world.openActivities({ reconcile: false });
    const message = newLinkMessage('whatsapp');
    await world.planFailures({ channel: 'whatsapp', kind: 'acceptThenDrop' });
    await failureOf(attemptDelivery(withoutReconciliation, message));
    await attemptDelivery(withoutReconciliation, message);
    expect(await world.readMessages(message.destination)).toHaveLength(2);
  });

  it('two messages to one phone, with different links, arrive once each, although neither request got a response', async () => {
    const acceptedMessage = newLinkMessage('whatsapp');
    const lostMessage = newLinkMessage('whatsapp', { destination: acceptedMessage.destination });
    await world.planFailures({ channel: 'whatsapp', kind: 'acceptThenDrop' });
    await failureOf(attemptDelivery(activities, acceptedMessage));
    await world.planFailures({ channel: 'whatsapp', kind: 'reset' });
    await failureOf(attemptDelivery(activities, lostMessage));
    for (const message of [lostMessage, acceptedMessage]) {
      await world.skipReconcileWait(message.sendId);
      await attemptDelivery(activities, message);
    }
    const links = (await world.readMessages(acceptedMessage.destination)).flatMap((received) => received.links);
    expect(links.toSorted()).toEqual([linkOf(lostMessage), linkOf(acceptedMessage)].toSorted());
  });

  it('a message is not sent after its link has expired', async () => {
    const message = newLinkMessage('whatsapp', { expiresAt: new Date(Date.now() - 1).toISOString() });
    expect(await failureOf(attemptDelivery(activities, message))).toMatchObject({
      type: 'MessageExpired',
      final: true,
    });
    expect(await world.readMessages(message.destination)).toEqual([]);
  });

  it.each(channels)('the message about a decision arrives once by %s, and has no link', async (channel) => {
    const message = newDecisionMessage(channel);
    const firstResult = await attemptDelivery(activities, message);
    expect(await attemptDelivery(activities, message)).toEqual(firstResult);
    const received = await world.readMessages(message.destination);
    expect(received).toMatchObject([{ channel, links: [] }]);
    expect(received[0]?.text).toContain(message.message.body);
  });
});
