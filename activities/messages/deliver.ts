import { activityInfo, ApplicationFailure } from '@temporalio/activity';
import type { DomainErrorDetails } from '../../domain/domain-error';
import { stepOfOrigin } from '../../domain/confirmations/settings';
import { afterUnknown } from '../../domain/providers/route';
import type { Pool } from '../../platform/postgres/postgres';
import { defineDuration } from '../../platform/telemetry/metrics';
import { failSend, type SendRow } from '../../store/messages/sends/send-states.sql';
import type { Activities, MessageToDeliver } from '../../workflows/contract/activities';
import { composeMessage } from './compose-message';
import {
  accountRefusedType,
  finalSendError,
  messageExpiredError,
  noProviderError,
  outcomeUnknownError,
} from './delivery-errors';
import { reconcile } from './reconcile';
import { type ReservationDependencies, reserve } from './reserve';
import type { Routes } from '../providers/routes';
import { type DeliveryOutcome, type SendWork, sendByProviders } from './send-by-providers';

const attemptDuration = defineDuration(
  'countersign.delivery.attempt.duration',
  'Attempts to deliver a message, by channel and outcome',
);

export interface DeliveryDependencies extends ReservationDependencies {
  routes: Routes;
  /**
   * If the outcome of a message is unknown: whether to search for the message at the provider before sending it again. Only tests set this
   * to false.
   */
  reconcile: boolean;
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
 * Sends one message. If an earlier attempt has an unknown outcome, first searches for the message at the provider that may have it, and sends
 * the message again only if this provider does not list it. The `state` in the row of the message (table `sends`) shows what earlier
 * attempts did. `intent`: no provider has accepted the message, certainly. `dispatching`: the outcome of a request to `provider` is unknown.
 * `accepted` and `failed` are final. A request that fails changes nothing about the outcome of an earlier request. So a message with an
 * unknown outcome fails only when it expires.
 */
async function deliver(dependencies: DeliveryDependencies, message: MessageToDeliver): Promise<DeliveryOutcome> {
  const { pool, keys, logger } = dependencies;
  const outgoing = composeMessage(keys, dependencies.publicUrl, message);
  const route = await dependencies.routes(outgoing);
  const [first] = route.providers;
  const msLeft = timeUntil(message.expiresAt);
  const reserveIfInTime = (claimedBy?: string) => {
    const error = msLeft() <= 0 ? messageExpiredError() : first ? undefined : noProviderError();
    return reserve(dependencies, message, outgoing, claimedBy, error);
  };

  // A provider that prepares something first may find that it cannot send the message. So its request is claimed later.
  const reserved = await reserveIfInTime(first?.prepare ? undefined : first?.name);
  const { row: initialRow, claim } = reserved;
  const send: SendWork = { pool, logger, route, message: outgoing, msLeft };
  if (claim) return sendByProviders(send, route.providers, initialRow, claim);
  // Workers of earlier versions did not save the provider: there was only one.
  const holder = route.providers.find(({ name }) => name === (initialRow.provider ?? first?.name));
  const hasUnknownOutcome = initialRow.state === 'dispatching' && initialRow.providerId === null;
  const row =
    hasUnknownOutcome && dependencies.reconcile ? await reconcile(pool, holder, outgoing, initialRow) : initialRow;
  if (row.providerId !== null || row.state === 'accepted')
    return { providerId: row.providerId ?? row.sendId, outcome: hasUnknownOutcome ? 'adopted' : 'known' };
  if (row.state === 'failed') throw finalSendError(row.failure, row.providerCode);
  // While `reconcile` waited, the message may have expired, and the person may have opted out.
  const { blockingError } = hasUnknownOutcome ? await reserveIfInTime() : reserved;
  const failure = blockingError?.type ?? row.failure;
  if (failure) throw await handleFailure(pool, row, failure, blockingError);
  const providers =
    hasUnknownOutcome && dependencies.reconcile
      ? afterUnknown(route.providers, holder, route.whenUnknown)
      : route.providers;
  if (providers.length === 0) throw outcomeUnknownError('ProviderCannotBeAsked');
  return sendByProviders(send, providers, row);
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
  const { providerCode } = (blockingError?.details?.[0] ?? {}) as DomainErrorDetails;
  const isCertain = row.state === 'intent' && (await failSend(pool, row, failure, providerCode));
  return blockingError && (isCertain || failure === 'MessageExpired')
    ? blockingError
    : outcomeUnknownError(failure, row.providerCode);
}
