import { statusCallbackPath } from '../../platform/links';
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

/**
 * How long to wait before a send with an unknown outcome is searched at the provider: a request that timed out has saved its
 * outcome half a second later, and a status callback arrives in about the same time.
 */
const settlesWithinMs = httpTimeoutMs + 500;

/** How many of the newest messages to a phone are searched. It gets a few per day, but other services may use the same account. */
const searchedMessagesMax = 50;

/** Synchronized clocks differ by less; an older message with the same text belongs to another send. */
const clockDifferenceMs = 30_000;

/** How long a message may wait in the provider's queue: the provider's limits, in seconds. */
const validity = { min: 5, max: 36_000 };

const normalized = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim();

async function call<Result>(request: () => Promise<Result>): Promise<Result> {
  try {
    return await request();
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
      const statusCallback = publicUrl + statusCallbackPath(message.sendId);
      const to = addressOf(message.destination);
      const { sid } = await call(() => client.messages.create({ to, ...sender, ...content, statusCallback }));
      // The SDK returns an interrupted response as an empty one.
      if (!sid) throw new DeliveryError('unknown');
      return sid;
    },
    async find(message, since) {
      // Without a filter on DateSent: a message in the provider's queue has none yet.
      const filter = { to: addressOf(message.destination), ...(service ? {} : { from: addressOf(from) }) };
      const messages = await call(() =>
        client.messages.list({ ...filter, limit: searchedMessagesMax, pageSize: searchedMessagesMax }),
      );
      const distance = (created: Date) => Math.abs(created.getTime() - since.getTime());
      return messages
        .filter((found) => found.dateCreated.getTime() >= since.getTime() - clockDifferenceMs)
        .filter((found) => !service || found.messagingServiceSid === from)
        .filter((found) => normalized(found.body) === normalized(message.text))
        .toSorted((left, right) => distance(left.dateCreated) - distance(right.dateCreated))
        .map((found) => found.sid);
    },
  };
}

/** SMS by Twilio. Twilio drops a message that is still queued when it expires. */
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

/** WhatsApp by Twilio. A second factor has a button per option, whose id is the number of the option. */
export function createWhatsappChannel(dependencies: TwilioChannelDependencies, templates: MessageTemplates): Channel {
  const contentOf = async (message: OutgoingMessage): Promise<Partial<Create>> =>
    (await call(() => templates.find(message))) ?? { body: message.text };
  const channel = createChannel(dependencies, (number) => `whatsapp:${number}`, contentOf);
  return { ...channel, prepare: async (message) => void (await contentOf(message)) };
}
