import { activityInfo, ApplicationFailure } from '@temporalio/activity';
import type { Channel as ChannelName } from '../domain/confirmation-settings';
import { limits } from '../domain/limits';
import { hashDestination } from '../platform/codes';
import type { Keys } from '../platform/keys';
import type { Logger } from '../platform/logger';
import type { Pool } from '../platform/postgres';
import type { Activities, MessageToDeliver } from '../workflows/ports';
import { composeMessage } from './compose-message';
import { type Channel, DeliveryError, type OutgoingMessage } from './messaging/channel';
import { reconcile } from './reconcile';
import {
  earlierFinalError,
  dailyLimitReached,
  messageExpired,
  retryableError,
  providerRefused,
  sendInProgress,
} from './delivery-errors';
import { hasOptedOut } from '../store/messages/opt-outs.sql';
import {
  acceptSend,
  beginSend,
  type Dispatch,
  failSend,
  findSend,
  releaseDispatch,
  type SendRow,
  takeDispatch,
} from '../store/messages/sends.sql';

export interface DeliveryDependencies {
  pool: Pool;
  keys: Keys;
  /** Address that the links of messages begin with. */
  publicUrl: string;
  channels: Record<ChannelName, Channel>;
  /** Whether to look for a message with an unknown outcome before sending it again. Only a test switches it off. */
  reconcile: boolean;
}

/** `known`: the provider accepted an earlier attempt. `adopted`: the message was found in the provider's list. */
interface DeliveryOutcome {
  providerId: string;
  outcome: 'sent' | 'known' | 'adopted';
}

/** Delivers a message, and logs one line per attempt from an allow-list: no address, no text, no message of a provider. */
export function createDelivery(dependencies: DeliveryDependencies, logger: Logger): Activities['deliverMessage'] {
  return async (message) => {
    const started = Date.now();
    const { attempt, workflowExecution } = activityInfo();
    const line = (outcome: string, providerCode?: string) => ({
      workflowId: workflowExecution?.workflowId,
      sendId: message.sendId,
      ...(message.settings.origin ? { step: message.settings.origin } : {}),
      channel: message.settings.channel,
      outcome,
      attempt,
      ms: Date.now() - started,
      ...(providerCode ? { providerCode } : {}),
    });
    try {
      const { providerId, outcome } = await deliver(dependencies, message);
      logger.info(line(outcome), 'message accepted');
      return { providerId };
    } catch (error) {
      const [details] = error instanceof ApplicationFailure ? (error.details ?? []) : [];
      const { providerCode } = (details ?? {}) as { providerCode?: string };
      const outcome =
        error instanceof ApplicationFailure ? error.type : error instanceof Error ? error.name : undefined;
      logger.warn(line(outcome ?? 'unknown', providerCode), 'message not accepted');
      throw error;
    }
  };
}

const budget = { limit: limits.sendsPerDestination, windowMs: limits.destinationWindowMs };

/**
 * Sends one message effectively once. Its row says how far earlier attempts came. `intent`: no request to the provider.
 * `dispatching`: a request with an unknown outcome. `accepted` and `failed`: final.
 */
async function deliver(dependencies: DeliveryDependencies, message: MessageToDeliver): Promise<DeliveryOutcome> {
  const { pool, keys } = dependencies;
  const channel = dependencies.channels[message.settings.channel];
  const outgoing = composeMessage(keys, dependencies.publicUrl, message);
  const destination = hashDestination(keys, message.destination);

  const obsoleteNow = await obsoleteError(dependencies, message, destination);
  const known = obsoleteNow ? await findSend(pool, message.sendId) : await begin(pool, message, destination);
  if (!known) throw obsoleteNow;
  const unknown = known.state === 'dispatching' && known.providerId === null;
  const row = unknown && dependencies.reconcile ? await reconcile(pool, channel, outgoing, known) : known;
  if (row.providerId !== null || row.state === 'accepted')
    return { providerId: row.providerId ?? row.sendId, outcome: unknown ? 'adopted' : 'known' };
  if (row.state === 'failed') throw earlierFinalError(row.failure, row.providerCode);
  // The message may have expired during the wait.
  const obsolete = unknown ? await obsoleteError(dependencies, message, destination) : obsoleteNow;
  if (obsolete) {
    // A message that was never sent is closed, and no longer counts against its destination.
    if (row.state === 'intent') await failSend(pool, row, obsolete.type ?? 'ProviderRefused');
    throw obsolete;
  }
  return dispatch(pool, channel, outgoing, row);
}

/** Why the message must not be sent any more; undefined if it may be sent. */
async function obsoleteError(
  { pool }: DeliveryDependencies,
  { settings, expiresAt }: MessageToDeliver,
  destination: string,
): Promise<ApplicationFailure | undefined> {
  if (Date.now() >= Date.parse(expiresAt)) return messageExpired();
  return (await hasOptedOut(pool, destination, settings.channel)) ? providerRefused('DestinationOptedOut') : undefined;
}

async function begin(pool: Pool, message: MessageToDeliver, destination: string): Promise<SendRow> {
  const { name, channel, kind } = message.settings;
  const send = { ...message, destination, settingsName: name, channel, kind };
  const row = await beginSend(pool, send, budget);
  if ('retryAfterSeconds' in row) throw dailyLimitReached(row.retryAfterSeconds);
  return row;
}

async function dispatch(
  pool: Pool,
  channel: Channel,
  message: OutgoingMessage,
  row: SendRow,
): Promise<DeliveryOutcome> {
  await channel.prepare?.(message).catch(async (error: unknown) => {
    throw await handleDeliveryError(pool, row, error);
  });
  const taken = await takeDispatch(pool, row);
  if (!taken) throw sendInProgress();
  const providerId = await channel.send(message).catch(async (error: unknown) => {
    throw await handleDeliveryError(pool, taken, error);
  });
  await acceptSend(pool, taken.sendId, providerId);
  return { providerId, outcome: 'sent' };
}

/** Saves what the error means for the send, and returns the failure of this attempt. */
async function handleDeliveryError(pool: Pool, send: Dispatch, error: unknown): Promise<ApplicationFailure> {
  const deliveryError = error instanceof DeliveryError ? error : new DeliveryError('unknown');
  const { kind, providerCode } = deliveryError;
  if (kind === 'unknown') return retryableError(deliveryError);
  if (kind === 'notTaken') {
    await releaseDispatch(pool, send);
    return retryableError(deliveryError);
  }
  await failSend(pool, send, kind, providerCode);
  return providerRefused(kind, providerCode);
}
