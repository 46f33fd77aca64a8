import { statusCallbackPath } from '../../platform/links';
import { addressUnder } from './address-under';
import { type Channel, DeliveryError, type OutgoingMessage } from './channel';
import type { MessageTemplates } from './message-templates';
import { httpTimeoutMs, type TwilioClient } from './twilio-client';
import { readTwilioError } from './twilio-error';

export interface TwilioChannelDependencies {
  client: TwilioClient;
  /** Number in E.164, or a messaging service (MG…) for SMS. */
  from: string;
  publicUrl: string;
}

type Create = Parameters<TwilioClient['messages']['create']>[0];

/** A call that has been given up half a second ago has noted what it knew; a delivery report comes in about as soon. */
const settlesWithinMs = httpTimeoutMs + 500;

/** Messages to one phone looked through for a lost one: its budget is a few a day, others may share the account. */
const lookedThrough = 50;

/** Clocks of two well-kept machines differ by less; older messages of the same text belong to other sends. */
const clockDifferenceMs = 30_000;

/** How long a message may wait inside the provider, by the provider's own bounds in seconds. */
const validity = { min: 5, max: 36_000 };

const tidy = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim();

async function call<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    throw readTwilioError(error);
  }
}

function createChannel(
  { client, from, publicUrl }: TwilioChannelDependencies,
  addressOf: (number: string) => string,
  contentOf: (message: OutgoingMessage) => Promise<Partial<Create>>,
): Channel {
  const service = from.startsWith('MG');
  const sender = service ? { messagingServiceSid: from } : { from: addressOf(from) };
  return {
    settlesWithinMs,
    async send(message) {
      const content = await contentOf(message);
      const statusCallback = addressUnder(publicUrl, statusCallbackPath(message.sendId));
      const to = addressOf(message.destination);
      const { sid } = await call(() => client.messages.create({ to, ...sender, ...content, statusCallback }));
      // An answer that broke off is read as an empty one.
      if (!sid) throw new DeliveryError('unknown');
      return sid;
    },
    async find(message, since) {
      // Not narrowed by DateSent: a message that waits in the provider's queue has none yet and would be missed.
      const filter = { to: addressOf(message.destination), ...(service ? {} : { from: addressOf(from) }) };
      const listed = await call(() =>
        client.messages.list({ ...filter, limit: lookedThrough, pageSize: lookedThrough }),
      );
      const away = (created: Date) => Math.abs(created.getTime() - since.getTime());
      return listed
        .filter((found) => found.dateCreated.getTime() >= since.getTime() - clockDifferenceMs)
        .filter((found) => !service || found.messagingServiceSid === from)
        .filter((found) => tidy(found.body) === tidy(message.text))
        .toSorted((left, right) => away(left.dateCreated) - away(right.dateCreated))
        .map((found) => found.sid);
    },
  };
}

/** Text messages by Twilio. One that is still queued when it expires is dropped by the provider. */
export function createSmsChannel(dependencies: TwilioChannelDependencies): Channel {
  return createChannel(
    dependencies,
    (number) => number,
    async ({ text, expiresAt }) => {
      const secondsLeft = Math.floor((Date.parse(expiresAt) - Date.now()) / 1_000);
      return { body: text, validityPeriod: Math.min(validity.max, Math.max(validity.min, secondsLeft)) };
    },
  );
}

/** WhatsApp messages by Twilio: second factors carry a button per answer, whose id is the number of the option. */
export function createWhatsappChannel(dependencies: TwilioChannelDependencies, templates: MessageTemplates): Channel {
  const contentOf = async (message: OutgoingMessage): Promise<Partial<Create>> =>
    (await call(() => templates.find(message))) ?? { body: message.text };
  const channel = createChannel(dependencies, (number) => `whatsapp:${number}`, contentOf);
  return { ...channel, prepare: async (message) => void (await contentOf(message)) };
}
