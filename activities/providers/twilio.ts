import { DeliveryError, type OutgoingMessage, type Provider } from './provider';
import type { WhatsappTemplates } from './whatsapp-templates';
import { httpTimeoutMs, readTwilioError, type TwilioClient } from './twilio-client';

export interface TwilioSender {
  /** The name of the account in MESSAGING. */
  name: string;
  client: TwilioClient;
  /** The sender: a number in E.164. For SMS, it can also be the id of a messaging service of Twilio (MG…). */
  from: string;
  publicUrl: string;
  /** The tenant whose account it is. Absent: the service. */
  tenant?: string;
}

type MessageOptions = Parameters<TwilioClient['messages']['create']>[0];

/**
 * How long to wait before `find` searches for a message with an unknown outcome. Half a second after a timeout, the attempt has saved its
 * outcome, and a status callback has usually arrived.
 */
export const outcomeKnownAfterMs = httpTimeoutMs + 500;

/**
 * How many of the newest messages to a phone are searched. We send only a few messages per day to one phone, but other services may use the
 * same account.
 */
export const searchedMessagesMax = 50;

/**
 * The clocks of the service and of the provider differ by less than this time. If a message is older than the send by more than this time,
 * it belongs to another send, even if its text is the same.
 */
const clockDifferenceMs = 30_000;

/** The shortest and the longest time that Twilio accepts for `validityPeriod`: how long a message may wait in the queue of Twilio. */
const validitySeconds = { min: 5, max: 36_000 };

/** Texts that differ only in white space or in the form of accents become equal. */
const normalizeText = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim();

/** Whether a text at the provider is the text of a message. */
type Comparison = (found: string, message: OutgoingMessage) => boolean;

const sameText: Comparison = (found, { text }) => normalizeText(found) === normalizeText(text);

/** WhatsApp writes the text around a code, so only the code is compared. */
const sameCodeOrText: Comparison = (found, message) =>
  message.content.kind === 'token' ? found.split(/\D+/).includes(message.content.code) : sameText(found, message);

export async function callTwilio<Result>(request: () => Promise<Result>): Promise<Result> {
  try {
    return await request();
  } catch (error) {
    throw readTwilioError(error);
  }
}

/** The ids of messages or calls that may belong to a send of the instant `since`, the nearest in time first. */
export function nearestSids(found: readonly { sid: string; dateCreated: Date }[], since: Date): string[] {
  const distance = ({ dateCreated }: { dateCreated: Date }) => Math.abs(dateCreated.getTime() - since.getTime());
  return found
    .filter(({ dateCreated }) => dateCreated.getTime() >= since.getTime() - clockDifferenceMs)
    .toSorted((left, right) => distance(left) - distance(right))
    .map(({ sid }) => sid);
}

/**
 * Twilio as the sender on one channel. `addressOf`: the address of a phone number on this channel. `contentOf`: the fields of the request that have
 * the content of a message. `isText`: how `find` compares texts.
 */
function createSender(
  { name, client, from, publicUrl, tenant }: TwilioSender,
  addressOf: (number: string) => string,
  contentOf: (message: OutgoingMessage, msLeft: number) => Promise<Partial<MessageOptions>>,
  isText: Comparison = sameText,
): Provider {
  const usesMessagingService = from.startsWith('MG');
  const sender = usesMessagingService ? { messagingServiceSid: from } : { from: addressOf(from) };
  return {
    name,
    outcomeKnownAfterMs,
    async send(message, msLeft) {
      const content = await contentOf(message, msLeft);
      const statusCallback = `${publicUrl}/webhooks/twilio/status/${encodeURIComponent(message.sendId)}${tenant === undefined ? '' : `?tenant=${tenant}`}`;
      const to = addressOf(message.destination);
      const { sid } = await callTwilio(() => client.messages.create({ to, ...sender, ...content, statusCallback }));
      // If the response was interrupted, the SDK returns an empty response and throws no error.
      if (!sid) throw new DeliveryError('unknown');
      return sid;
    },
    async find(message, since) {
      // There is no filter on DateSent, because a message in the provider's queue has no DateSent yet.
      const filter = { to: addressOf(message.destination), ...(usesMessagingService ? {} : { from: addressOf(from) }) };
      const messages = await callTwilio(() =>
        client.messages.list({ ...filter, limit: searchedMessagesMax, pageSize: searchedMessagesMax }),
      );
      return nearestSids(
        messages
          .filter((found) => !usesMessagingService || found.messagingServiceSid === from)
          .filter((found) => isText(found.body, message)),
        since,
      );
    },
  };
}

/** SMS by Twilio. If a message expires while Twilio still queues it, Twilio does not send it. */
export function createSmsSender(sender: TwilioSender): Provider {
  return createSender(
    sender,
    (number) => number,
    async ({ text }, msLeft) => {
      const secondsLeft = Math.floor(msLeft / 1_000);
      return { body: text, validityPeriod: Math.min(validitySeconds.max, Math.max(validitySeconds.min, secondsLeft)) };
    },
  );
}

/**
 * WhatsApp by Twilio. A second factor has a button for each option. The id of a button is the number of its option. A code has a button that
 * copies it.
 */
export function createWhatsappSender(sender: TwilioSender, templates: WhatsappTemplates): Provider {
  const contentOf = async (message: OutgoingMessage): Promise<Partial<MessageOptions>> =>
    (await callTwilio(() => templates.find(message))) ?? { body: message.text };
  const provider = createSender(sender, (number) => `whatsapp:${number}`, contentOf, sameCodeOrText);
  return { ...provider, prepare: async (message) => void (await contentOf(message)) };
}
