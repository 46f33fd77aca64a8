import { createHash } from 'node:crypto';
import type { Channel as ChannelName } from '../../domain/confirmations/settings';
import { hashDestination } from '../../messages/codes';
import type { Messaging } from '../../messages/messaging';
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
import type { DeliveryError, OutgoingMessage, Provider } from '../providers/provider';
import type { Routes } from '../providers/routes';
import { readSmtpError } from '../providers/smtp';
import { readTwilioError } from '../providers/twilio-client';

interface TestProviderDependencies {
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
  { COUNTERSIGN_ENV }: Pick<WorkerConfig, 'COUNTERSIGN_ENV'>,
  { channels, providers }: Messaging,
): (channel: ChannelName) => boolean {
  const addressOf = (name: string) => {
    const settings = providers[name];
    if (settings?.kind === 'gateway') return settings.values['baseUrl'];
    return settings?.kind === 'twilio' ? settings.baseUrl : settings?.url;
  };
  const isLocal = (url: string | undefined) => url !== undefined && isLoopback(new URL(url).hostname);
  return (channel) =>
    COUNTERSIGN_ENV === 'local' && channels[channel].providers.every(({ provider }) => isLocal(addressOf(provider)));
}

/**
 * Routes whose messages to test phones and test mailboxes go to fakes, so that no provider gets them. Their outcomes arrive in the same way as
 * events of a real provider, and say nothing about it.
 */
export function withTestDestinations(routes: Routes, dependencies: TestProviderDependencies): Routes {
  return async (message) => {
    const route = await routes(message);
    const found = dependencies.testMode.findDestination(message.destination);
    const [usual] = route.providers;
    if (!found || !usual) return route;
    const provider = createTestProvider(message.settings.channel, found, usual, dependencies);
    return { ...route, providers: [provider], onRequest: () => true, onOutcome: () => undefined };
  };
}

/**
 * The provider for one test phone or test mailbox. `usual`: the provider for everybody else. It gets the message only if it is the local inbox,
 * and if the message arrives.
 */
function createTestProvider(
  name: ChannelName,
  destination: TestDestination,
  usual: Provider,
  dependencies: TestProviderDependencies,
): Provider {
  const rejection = rejectionOf(name, destination);
  const isShown = dependencies.isInbox(name) && !rejection && !destination.undeliveredWith;
  return {
    name: usual.name,
    outcomeKnownAfterMs: usual.outcomeKnownAfterMs,
    // A repeat has the same id and the same events.
    recognizesRepeats: true,
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
async function saveOutcome(dependencies: TestProviderDependencies, sent: SentTestMessage): Promise<void> {
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
function replyOf({ keys }: TestProviderDependencies, { name, message, destination, providerId }: SentTestMessage) {
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
