import { activityInfo, ApplicationFailure } from '@temporalio/activity';
import { type Channel as ChannelName, stepOfOrigin } from '../../domain/confirmations/settings';
import type { Pool } from '../../platform/postgres/postgres';
import { defineDuration } from '../../platform/telemetry/metrics';
import {
  acceptSend,
  claimDispatch,
  type Dispatch,
  failSend,
  releaseDispatch,
  type SendRow,
} from '../../store/messages/sends/send-states.sql';
import type { Activities, MessageToDeliver } from '../../workflows/contract/activities';
import { type DeliveryChannel, DeliveryError, type OutgoingMessage } from './channel';
import { composeMessage } from './compose-message';
import {
  accountRefusedType,
  finalSendError,
  messageExpiredError,
  outcomeUnknownError,
  providerRefusedError,
  retryableError,
  sendInProgressError,
} from './delivery-errors';
import { reconcile } from './reconcile';
import { type ReservationDependencies, reserve } from './reserve';

const attemptDuration = defineDuration(
  'countersign.delivery.attempt.duration',
  'Attempts to deliver a message, by channel and outcome',
);

export interface DeliveryDependencies extends ReservationDependencies {
  channels: Record<ChannelName, DeliveryChannel>;
  /**
   * If the outcome of a message is unknown: whether to search for the message at the provider before sending it again. Only tests set this
   * to false.
   */
  reconcile: boolean;
}

/**
 * `sent`: the provider accepted the message in this attempt. `known`: the provider accepted the message in an earlier attempt. `adopted`:
 * the outcome of an earlier attempt was unknown, and `reconcile` found that the provider had accepted the message.
 */
interface DeliveryOutcome {
  providerId: string;
  outcome: 'sent' | 'known' | 'adopted';
}

/**
 * Creates the activity that delivers a message. It logs one line per attempt. The line never has an address, a text or an error message
 * of a provider.
 */
export function createDelivery(dependencies: DeliveryDependencies): Activities['deliverMessage'] {
  return async (message) => {
    const started = Date.now();
    const { attempt, workflowExecution } = activityInfo();
    const logFields = (outcome: string, providerCode?: string) => ({
      workflowId: workflowExecution?.workflowId,
      sendId: message.sendId,
      ...stepOfOrigin(message.settings.origin),
      channel: message.settings.channel,
      outcome,
      attempt,
      ms: Date.now() - started,
      ...(providerCode ? { providerCode } : {}),
    });
    const recordAttempt = (outcome: string) =>
      attemptDuration.record((Date.now() - started) / 1_000, { channel: message.settings.channel, outcome });
    try {
      const { providerId, outcome } = await deliver(dependencies, message);
      recordAttempt(outcome);
      dependencies.logger.info(logFields(outcome), 'message accepted');
      return { providerId };
    } catch (error) {
      const [details] = error instanceof ApplicationFailure ? (error.details ?? []) : [];
      const { providerCode } = (details ?? {}) as { providerCode?: string };
      const outcome =
        error instanceof ApplicationFailure ? error.type : error instanceof Error ? error.name : undefined;
      recordAttempt(outcome ?? 'unknown');
      if (outcome === accountRefusedType)
        dependencies.logger.error(
          logFields(outcome, providerCode),
          'the provider refuses the account of the service: no message is sent until an operator corrects it',
        );
      else dependencies.logger.warn(logFields(outcome ?? 'unknown', providerCode), 'message not accepted');
      throw error;
    }
  };
}

/**
 * The milliseconds until an instant, by the clock of the Temporal server, which also decided on this instant. The clock of this machine can be
 * wrong by more than a code is valid, so it measures only how long the attempt has run. Only for activities that the server has scheduled: a
 * local activity knows only the clock of its machine.
 */
function timeUntil(instant: string): () => number {
  const msLeft = Date.parse(instant) - activityInfo().currentAttemptScheduledTimestampMs;
  const startedMs = performance.now();
  return () => msLeft - (performance.now() - startedMs);
}

/**
 * Sends one message. If an earlier attempt has an unknown outcome, first searches for the message at the provider, and sends the message
 * again only if the provider does not list it. The `state` in the row of the message (table `sends`) shows what earlier attempts did.
 * `intent`: the provider certainly has not accepted the message. `dispatching`: a request to the provider has an unknown outcome.
 * `accepted` and `failed` are final. A request that fails changes nothing about the outcome of an earlier request. So a message with an
 * unknown outcome fails only when it expires.
 */
async function deliver(dependencies: DeliveryDependencies, message: MessageToDeliver): Promise<DeliveryOutcome> {
  const { pool, keys } = dependencies;
  const channel = dependencies.channels[message.settings.channel];
  const outgoing = composeMessage(keys, dependencies.publicUrl, message);
  const msLeft = timeUntil(message.expiresAt);
  const reserveIfInTime = (claims: boolean) => {
    const error = msLeft() <= 0 ? messageExpiredError() : undefined;
    return reserve(dependencies, message, outgoing, claims, error);
  };

  // A channel that prepares something first may find that the message cannot be sent. So its request is claimed later.
  const reserved = await reserveIfInTime(!channel.prepare);
  const { row: initialRow, claim } = reserved;
  if (claim) return request(pool, channel, outgoing, msLeft(), claim);
  const hasUnknownOutcome = initialRow.state === 'dispatching' && initialRow.providerId === null;
  const row =
    hasUnknownOutcome && dependencies.reconcile ? await reconcile(pool, channel, outgoing, initialRow) : initialRow;
  if (row.providerId !== null || row.state === 'accepted')
    return { providerId: row.providerId ?? row.sendId, outcome: hasUnknownOutcome ? 'adopted' : 'known' };
  if (row.state === 'failed') throw finalSendError(row.failure, row.providerCode);
  // While `reconcile` waited, the message may have expired, and the person may have opted out.
  const { blockingError } = hasUnknownOutcome ? await reserveIfInTime(false) : reserved;
  const failure = blockingError?.type ?? row.failure;
  if (failure) throw await handleFailure(pool, row, failure, blockingError);
  return dispatch(pool, channel, outgoing, msLeft, row);
}

/**
 * The error of an attempt that may make no request any more. A message that was certainly not sent is marked as failed. It then no longer
 * counts for the daily limit of its destination. A message with an unknown outcome stays as it is: only its expiry ends the attempts to
 * find out.
 */
async function handleFailure(
  pool: Pool,
  row: SendRow,
  failure: string,
  blockingError?: ApplicationFailure,
): Promise<ApplicationFailure> {
  const isCertain = row.state === 'intent' && (await failSend(pool, row, failure));
  return blockingError && (isCertain || failure === 'MessageExpired')
    ? blockingError
    : outcomeUnknownError(failure, row.providerCode);
}

/** Claims the next request to the provider, so that no other attempt sends the message at the same time, and makes this request. */
async function dispatch(
  pool: Pool,
  channel: DeliveryChannel,
  message: OutgoingMessage,
  msLeft: () => number,
  row: SendRow,
): Promise<DeliveryOutcome> {
  await channel.prepare?.(message).catch(async (error: unknown) => {
    throw await handleDeliveryError(pool, row, message, error);
  });
  const claim = await claimDispatch(pool, row);
  if (!claim) throw sendInProgressError();
  return request(pool, channel, message, msLeft(), claim);
}

/** Makes a claimed request to the provider, and saves the outcome. */
async function request(
  pool: Pool,
  channel: DeliveryChannel,
  message: OutgoingMessage,
  msLeft: number,
  claim: Dispatch,
): Promise<DeliveryOutcome> {
  const providerId = await channel.send(message, msLeft).catch(async (error: unknown) => {
    throw await handleDeliveryError(pool, claim, message, error);
  });
  await acceptSend(pool, claim.sendId, providerId);
  return { providerId, outcome: 'sent' };
}

/** Updates the row of a send after an error. Returns the error with which this attempt must fail. */
async function handleDeliveryError(
  pool: Pool,
  send: Dispatch,
  { settings }: OutgoingMessage,
  error: unknown,
): Promise<ApplicationFailure> {
  const deliveryError = error instanceof DeliveryError ? error : new DeliveryError('unknown');
  const { kind, providerCode } = deliveryError;
  if (kind === 'unknown') return retryableError(deliveryError, settings.channel);
  if (kind === 'notSent' || kind === 'accountRefused') {
    await releaseDispatch(pool, send);
    return retryableError(deliveryError, settings.channel);
  }
  return (await failSend(pool, send, kind, providerCode))
    ? providerRefusedError(kind, providerCode)
    : outcomeUnknownError(kind, providerCode);
}
