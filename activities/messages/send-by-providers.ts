import type { ApplicationFailure } from '@temporalio/activity';
import { isAboutDestination } from '../../domain/providers/refusal';
import { ownProviderPrefix } from '../../domain/providers/route';
import type { Logger } from '../../platform/logger';
import type { Pool } from '../../platform/postgres/postgres';
import {
  acceptSend,
  claimDispatch,
  type Dispatch,
  failSend,
  releaseDispatch,
} from '../../store/messages/sends/send-states.sql';
import { outcomeUnknownError, providerRefusedError, retryableError, sendInProgressError } from './delivery-errors';
import { DeliveryError, type OutgoingMessage, type Provider } from '../providers/provider';
import type { Route } from '../providers/routes';

/**
 * `sent`: the provider accepted the message in this attempt. `known`: the provider accepted the message in an earlier attempt. `adopted`:
 * the outcome of an earlier attempt was unknown, and `reconcile` found that the provider had accepted the message.
 */
export interface DeliveryOutcome {
  providerId: string;
  outcome: 'sent' | 'known' | 'adopted';
}

/** A message to send, and the milliseconds until it expires. */
export interface SendWork {
  pool: Pool;
  logger: Logger;
  route: Route;
  message: OutgoingMessage;
  msLeft: () => number;
}

/**
 * Sends a message by the first of these providers that accepts it. Each request is claimed first, so that no other attempt sends the message
 * at the same time. A provider that certainly does not have the message is followed by the next one. If the outcome of a request is unknown,
 * this attempt ends, because the next one must find out. `claim`: the request to the first provider is claimed already. Throws
 * ApplicationFailure.
 */
export async function sendByProviders(
  work: SendWork,
  providers: readonly Provider[],
  row: Dispatch,
  claim?: Dispatch,
): Promise<DeliveryOutcome> {
  const refusals: Refused[] = [];
  let send = row;
  for (const provider of providers) {
    const result = await request(work, provider, send, provider === providers[0] ? claim : undefined);
    if ('providerId' in result) return { providerId: result.providerId, outcome: 'sent' };
    refusals.push(result);
    send = result.send;
    if (refusals.length < providers.length) logFailover(work, result);
  }
  throw await handleRefusals(work, send, refusals);
}

/** A provider certainly does not have the message. `send`: the send without the request. */
interface Refused {
  provider: Provider;
  error: DeliveryError;
  send: Dispatch;
}

/** The person gets the message, so only the log shows that a provider refuses the account of the service. */
function logFailover({ logger, message }: SendWork, { provider, error }: Refused): void {
  const { kind, providerCode } = error;
  const fields = { sendId: message.sendId, channel: message.settings.channel, provider: provider.name, outcome: kind };
  const write =
    kind === 'accountRefused' && !provider.name.startsWith(ownProviderPrefix)
      ? logger.error.bind(logger)
      : logger.warn.bind(logger);
  write({ ...fields, ...(providerCode && { providerCode }) }, 'a provider refused a message: the next one gets it');
}

/** Makes one request. Throws ApplicationFailure if no other provider may get the message now. */
async function request(
  { pool, route, message, msLeft }: SendWork,
  provider: Provider,
  send: Dispatch,
  earlierClaim: Dispatch | undefined,
): Promise<{ providerId: string } | Refused> {
  const refused = (error: DeliveryError, current: Dispatch): Refused => {
    route.onOutcome(provider, error.kind);
    return { provider, error, send: current };
  };
  if (!route.onRequest(provider)) {
    if (earlierClaim) await releaseDispatch(pool, earlierClaim);
    return { provider, error: new DeliveryError('notSent', 'perSecond'), send: earlierClaim ?? send };
  }
  try {
    await provider.prepare?.(message);
  } catch (error) {
    // Nothing was sent to the person, so any other provider may get the message.
    return refused(toDeliveryError(error), send);
  }
  const claim = earlierClaim ?? (await claimDispatch(pool, send, provider.name));
  if (!claim) throw sendInProgressError();
  const outcome = await provider.send(message, msLeft()).catch(toDeliveryError);
  if (typeof outcome === 'string') {
    route.onOutcome(provider, 'accepted');
    await acceptSend(pool, claim.sendId, outcome);
    return { providerId: outcome };
  }
  const { kind, providerCode } = outcome;
  if (kind !== 'unknown' && !isAboutDestination(kind)) {
    await releaseDispatch(pool, claim);
    return refused(outcome, claim);
  }
  route.onOutcome(provider, kind);
  throw kind === 'unknown' ? retryableError(outcome, provider.name) : await failWith(pool, claim, kind, providerCode);
}

const toDeliveryError = (error: unknown): DeliveryError =>
  error instanceof DeliveryError ? error : new DeliveryError('unknown');

/**
 * The error of an attempt in which no provider took the message. If each refuses this message for a reason that lasts, it fails. If not, a
 * later attempt can succeed.
 */
async function handleRefusals(
  { pool }: SendWork,
  send: Dispatch,
  refusals: readonly Refused[],
): Promise<ApplicationFailure> {
  const retryable = refusals.filter(({ error }) => error.kind !== 'ProviderRefused');
  const [first] = retryable;
  if (!first) return failWith(pool, send, 'ProviderRefused', refusals.at(-1)?.error.providerCode);
  // Only if all accounts are refused must an operator act before messages arrive.
  const { provider, error } = retryable.find((one) => one.error.kind !== 'accountRefused') ?? first;
  return retryableError(error, provider.name);
}

async function failWith(
  pool: Pool,
  send: Dispatch,
  kind: 'ProviderRefused' | 'DestinationRefused' | 'DestinationOptedOut',
  providerCode: string | undefined,
): Promise<ApplicationFailure> {
  return (await failSend(pool, send, kind, providerCode))
    ? providerRefusedError(kind, providerCode)
    : outcomeUnknownError(kind, providerCode);
}
