import type { ApplicationFailure } from '@temporalio/activity';
import type { Channel as ChannelName } from '../domain/confirmation-settings';
import { limits } from '../domain/limits';
import { hashDestination } from '../platform/codes';
import type { Keys } from '../platform/keys';
import type { Pool } from '../platform/postgres';
import type { MessageToDeliver } from '../workflows/ports';
import { composeMessage } from './compose-message';
import { type Channel, DeliveryError, type OutgoingMessage } from './messaging/channel';
import { reconcile } from './reconcile';
import {
  closedBefore,
  dailyLimitReached,
  messageExpired,
  notDelivered,
  providerRefused,
  sendUnderWay,
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
  /** Look for a message whose outcome is unknown before sending it again. Off only to show what it is for. */
  reconcile: boolean;
}

/** `known`: an earlier attempt was taken already. `adopted`: it was found at the provider. */
export interface DeliveryOutcome {
  providerId: string;
  outcome: 'sent' | 'known' | 'adopted';
}

const budget = { limit: limits.sendsPerDestination, windowMs: limits.destinationWindowMs };

/**
 * Sends one message effectively once. Its row says how far earlier attempts came: `intent`, nobody asked the provider;
 * `dispatching`, somebody did and the outcome is unknown; `accepted` and `failed`, it is settled.
 */
export async function deliver(dependencies: DeliveryDependencies, message: MessageToDeliver): Promise<DeliveryOutcome> {
  const { pool, keys } = dependencies;
  const channel = dependencies.channels[message.flow.channel];
  const outgoing = composeMessage(keys, dependencies.publicUrl, message);
  const destination = hashDestination(keys, message.destination);

  const uselessAtOnce = await uselessReason(dependencies, message, destination);
  const begun = uselessAtOnce ? await findSend(pool, message.sendId) : await begin(pool, message, destination);
  if (!begun) throw uselessAtOnce;
  const unknown = begun.state === 'dispatching' && begun.providerId === null;
  const row = unknown && dependencies.reconcile ? await reconcile(pool, channel, outgoing, begun) : begun;
  if (row.providerId !== null || row.state === 'accepted')
    return { providerId: row.providerId ?? row.sendId, outcome: unknown ? 'adopted' : 'known' };
  if (row.state === 'failed') throw closedBefore(row.failure, row.providerCode);
  // The wait may have outlived the message.
  const useless = unknown ? await uselessReason(dependencies, message, destination) : uselessAtOnce;
  if (useless) {
    // What may be on its way stays as it is; what never went out is closed, and no longer counts for the destination.
    if (row.state === 'intent') await failSend(pool, row, useless.type ?? 'ProviderRefused');
    throw useless;
  }
  return dispatch(pool, channel, outgoing, row);
}

/** Why the message may not go out any more whatever became of it before, if it may not. */
async function uselessReason(
  { pool }: DeliveryDependencies,
  { flow: settings, expiresAt }: MessageToDeliver,
  destination: string,
): Promise<ApplicationFailure | undefined> {
  if (Date.now() >= Date.parse(expiresAt)) return messageExpired();
  return (await hasOptedOut(pool, destination, settings.channel)) ? providerRefused('DestinationOptedOut') : undefined;
}

async function begin(pool: Pool, message: MessageToDeliver, destination: string): Promise<SendRow> {
  const { flow: settings } = message;
  const send = { ...message, destination, flow: settings.name, channel: settings.channel, kind: settings.kind };
  const begun = await beginSend(pool, send, budget);
  if ('retryAfterSeconds' in begun) throw dailyLimitReached(begun.retryAfterSeconds);
  return begun;
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
  if (!taken) throw sendUnderWay();
  const providerId = await channel.send(message).catch(async (error: unknown) => {
    throw await handleDeliveryError(pool, taken, error);
  });
  await acceptSend(pool, taken.sendId, providerId);
  return { providerId, outcome: 'sent' };
}

/** Notes on the row what a fault says of the message, and gives the failure of this attempt. */
async function handleDeliveryError(pool: Pool, send: Dispatch, error: unknown): Promise<ApplicationFailure> {
  const fault = error instanceof DeliveryError ? error : new DeliveryError('unknown');
  const { kind, providerCode } = fault;
  if (kind === 'unknown') return notDelivered(fault);
  if (kind === 'notTaken') {
    await releaseDispatch(pool, send);
    return notDelivered(fault);
  }
  await failSend(pool, send, kind, providerCode);
  return providerRefused(kind, providerCode);
}
