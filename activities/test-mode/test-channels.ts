import { createHash } from 'node:crypto';
import type { Channel as ChannelName } from '../../domain/confirmations/settings';
import { hashDestination } from '../../messages/codes';
import type { WorkerConfig } from '../../platform/config';
import type { Keys } from '../../platform/keys/service-keys';
import { isLoopback } from '../../platform/ip-addresses';
import type { Pool } from '../../platform/postgres/postgres';
import type { TestDestination, TestMode } from '../../messages/test-mode';
import {
  type DayKeys,
  type InboundEvent,
  saveProviderEvent,
  type StatusEvent,
} from '../../store/messages/provider-events.sql';
import type { DeliveryChannel, DeliveryError, OutgoingMessage } from '../messages/channel';
import { readSmtpError } from '../messages/smtp';
import { readTwilioError } from '../messages/twilio-client';

interface TestChannelDependencies {
  testMode: TestMode;
  pool: Pool;
  keys: Keys;
  dayKeys: Pick<DayKeys, 'current'>;
  /**
   * Whether the provider of a channel is the inbox on this machine. The inbox also gets the messages to test phones and
   * mailboxes.
   */
  isInbox: (channel: ChannelName) => boolean;
}

/** The time from a message to its last status. */
const deliveredAfterMs = 2_000;
/**
 * The time from a message to the reply of the person. It is 2 s longer than `deliveredAfterMs`, because the API looks for events every 2 s,
 * and must process the status before the reply, as with a real provider.
 */
const repliedAfterMs = 4_000;

/** Whether the messages of a channel go to the inbox on this machine, and not to a provider. */
export function createUsesLocalInbox(
  config: Pick<WorkerConfig, 'COUNTERSIGN_ENV' | 'TWILIO_BASE_URL' | 'SMTP_URL'>,
): (channel: ChannelName) => boolean {
  const isLocal = (url: string | undefined) =>
    config.COUNTERSIGN_ENV === 'local' && url !== undefined && URL.canParse(url) && isLoopback(new URL(url).hostname);
  return (channel) => isLocal(channel === 'email' ? config.SMTP_URL : config.TWILIO_BASE_URL);
}

/**
 * Puts fakes in place of channels for messages to test phones and test mailboxes, so that no provider gets these messages. Their outcomes
 * arrive in the same way as events of a real provider.
 */
export function withTestDestinations(
  channels: Record<ChannelName, DeliveryChannel>,
  dependencies: TestChannelDependencies,
): Record<ChannelName, DeliveryChannel> {
  const choose = (name: ChannelName): DeliveryChannel => {
    const usual = channels[name];
    const channelOf = ({ destination }: OutgoingMessage) => {
      const found = dependencies.testMode.findDestination(destination);
      return found ? createTestChannel(name, found, usual, dependencies) : usual;
    };
    return {
      outcomeKnownAfterMs: usual.outcomeKnownAfterMs,
      prepare: async (message) => channelOf(message).prepare?.(message),
      send: async (message, msLeft) => channelOf(message).send(message, msLeft),
      find: async (message, since) => (await channelOf(message).find?.(message, since)) ?? [],
    };
  };
  return { sms: choose('sms'), whatsapp: choose('whatsapp'), email: choose('email') };
}

/**
 * The channel to one test phone or test mailbox. `usual`: the channel to everybody else. It gets the message only if it is the local inbox,
 * and if the message arrives.
 */
function createTestChannel(
  name: ChannelName,
  destination: TestDestination,
  usual: DeliveryChannel,
  dependencies: TestChannelDependencies,
): DeliveryChannel {
  const rejection = rejectionOf(name, destination);
  const isShown = dependencies.isInbox(name) && !rejection && !destination.undeliveredWith;
  return {
    outcomeKnownAfterMs: usual.outcomeKnownAfterMs,
    prepare: async (message) => (isShown ? usual.prepare?.(message) : undefined),
    send: async (message, msLeft) => {
      if (rejection) throw rejection;
      const providerId = isShown ? await usual.send(message, msLeft) : inventProviderId(name, message);
      await saveOutcome(dependencies, { name, message, destination, providerId });
      return providerId;
    },
  };
}

/** The error with which a provider rejects messages to a test destination. Undefined if it accepts them. */
function rejectionOf(name: ChannelName, { rejectedWith }: TestDestination): DeliveryError | undefined {
  if (!rejectedWith) return undefined;
  return name === 'email'
    ? readSmtpError({ responseCode: rejectedWith.mailbox, command: 'RCPT TO' })
    : readTwilioError({ status: 400, code: rejectedWith.phone });
}

/** An id in the format of the provider. Every attempt gets the same id, so that a repeated attempt has the same events. */
function inventProviderId(name: ChannelName, { sendId }: OutgoingMessage): string {
  const id = createHash('sha256').update(sendId).digest('hex').slice(0, 32);
  return name === 'email' ? `<${id}@countersign.test>` : `SM${id}`;
}

/** A message to a test phone or mailbox. `name`: the name of its channel. */
interface SentTestMessage {
  name: ChannelName;
  message: OutgoingMessage;
  destination: TestDestination;
  providerId: string;
}

/**
 * Saves the events that a real provider would send later: the statuses of the message, and the reply of the person. The events of a
 * repeated attempt have the same ids, so a repeat changes nothing.
 */
async function saveOutcome(dependencies: TestChannelDependencies, sent: SentTestMessage): Promise<void> {
  const { pool, dayKeys } = dependencies;
  for (const { event, id, delayMs } of [...statusesOf(sent), ...replyOf(dependencies, sent)])
    await saveProviderEvent(pool, dayKeys, id, event, delayMs);
}

/** The status events of a message. There are none for an e-mail, because mail servers report no delivery. */
function statusesOf({ name, message, destination, providerId }: SentTestMessage) {
  if (name === 'email') return [];
  const { undeliveredWith: code } = destination;
  const statusEvent = (status: string, delayMs: number, fields: Partial<StatusEvent> = {}) => {
    const event: StatusEvent = { kind: 'status', sendId: message.sendId, providerId, status, ...fields };
    return { event, id: `${providerId}:${status}`, delayMs };
  };
  return [
    statusEvent('sent', 0),
    code === undefined
      ? statusEvent('delivered', deliveredAfterMs)
      : statusEvent('undelivered', deliveredAfterMs, { code }),
  ];
}

/**
 * The event of the person who presses the button of a reply; none if the person does not reply. The event names the message, so that two
 * tests that use one phone at the same time do not get each other's replies.
 */
function replyOf({ keys }: TestChannelDependencies, { name, message, destination, providerId }: SentTestMessage) {
  const option = message.settings.options?.find(({ meaning }) => meaning === destination.reply);
  if (!option) return [];
  const event: InboundEvent = {
    kind: 'inbound',
    channel: name,
    senders: [hashDestination(keys, message.destination)],
    text: '',
    button: String(option.option),
    repliedTo: providerId,
  };
  return [{ event, id: `${providerId}:reply`, delayMs: repliedAfterMs }];
}
