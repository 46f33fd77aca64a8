import { ApplicationFailure } from '@temporalio/activity';
import type { DomainErrorDetails, DomainErrorType } from '../../domain/domain-error';
import type { ListKind } from '../../domain/lists/list-entries';
import type { SendRejection } from '../../store/messages/sends/reserve-send.sql';
import { ownProviderPrefix } from '../../domain/providers/route';
import type { DeliveryErrorKind } from '../../domain/providers/refusal';
import type { DeliveryError } from '../providers/provider';

/** The kinds of delivery errors after which the message is never sent. */
type PermanentErrorKind = Exclude<DeliveryErrorKind, 'notSent' | 'accountRefused' | 'unknown'>;

/** The kinds of denials: of the phone or mailbox, or of the document of the person. */
type Denial = 'DestinationDenied' | 'PersonDenied';

const messages: Record<PermanentErrorKind | Denial, string> = {
  DestinationRefused: 'The provider cannot reach this phone or mailbox.',
  DestinationOptedOut: 'The owner of this phone or mailbox has opted out of messages.',
  ProviderRefused: 'The provider rejected the message.',
  DestinationDenied: 'This phone or mailbox is on the deny list.',
  PersonDenied: 'The document of the person is on the deny list.',
};

/**
 * A final error: Temporal does not retry after it, and operators get no alert. Callers see every final error except `MessageExpired`, which
 * stays inside the workflow.
 */
function permanentError(
  type: DomainErrorType | 'MessageExpired',
  message: string,
  details: DomainErrorDetails,
): ApplicationFailure {
  return ApplicationFailure.create({ type, message, nonRetryable: true, category: 'BENIGN', details: [details] });
}

/** The provider rejected the message, the owner of the phone or mailbox has opted out, or an earlier attempt met a deny list. */
export function providerRefusedError(
  type: PermanentErrorKind | Denial,
  providerCode?: string | null,
): ApplicationFailure {
  return permanentError(type, messages[type], providerCode ? { providerCode } : {});
}

/** The error of a send whose row is `failed`, because an earlier attempt failed with a final error. */
export function finalSendError(failure: string | null, providerCode: string | null): ApplicationFailure {
  if (failure === 'MessageExpired') return messageExpiredError();
  return providerRefusedError(
    failure !== null && failure in messages ? (failure as PermanentErrorKind | Denial) : 'ProviderRefused',
    providerCode,
  );
}

/** The number cannot get messages: it cannot exist in its country, or belongs to no person. */
export const phoneNotAllowedError = (): ApplicationFailure =>
  permanentError(
    'PhoneNotAllowed',
    'This phone number cannot exist in its country, or is not a number of a person.',
    {},
  );

/** No provider in MESSAGING sends to this country, or gets replies to this question. */
export const noProviderError = (): ApplicationFailure =>
  permanentError('NoProvider', 'No provider sends this message.', {});

/** The tenant denies the destination, or the document of the person. `kind`: the kind of the entry on its deny list. */
export const deniedError = (kind: ListKind): ApplicationFailure =>
  kind === 'document'
    ? permanentError('PersonDenied', messages.PersonDenied, {})
    : permanentError('DestinationDenied', messages.DestinationDenied, { deniedKind: kind });

/** A limit of messages was reached, or the phone prefix is blocked. `rejection` says which. */
export function sendRejectedError(
  rejection: Exclude<SendRejection, { reason: 'optedOut' | 'stopped' | 'denied' }>,
): ApplicationFailure {
  const { retryAfterSeconds } = rejection;
  if (rejection.reason === 'destinationLimit') {
    const message = 'This phone or mailbox has reached its limit of messages for the day.';
    return permanentError('DestinationDailyLimitReached', message, { retryAfterSeconds });
  }
  if (rejection.reason === 'tenantLimit') {
    const message = `The tenant has reached its limit ${rejection.limit}.`;
    return permanentError('TenantDailyLimitReached', message, { retryAfterSeconds, limit: rejection.limit });
  }
  const message = 'Too few persons with this phone prefix answered. Messages to this prefix are blocked.';
  return permanentError('PrefixBlocked', message, { retryAfterSeconds, blockId: rejection.blockId });
}

/** The message has expired. */
export function messageExpiredError(): ApplicationFailure {
  return permanentError('MessageExpired', 'The message expired before the provider accepted it.', {});
}

/**
 * The message must not be sent again because of `failure`, but the provider may have accepted an earlier request. Temporal retries, so that
 * a later attempt can still find the message.
 */
export function outcomeUnknownError(failure: string, providerCode?: string | null): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'OutcomeUnknown',
    message: `The message is not sent again (${failure}), but the provider may have accepted an earlier request.`,
    details: [{ kind: 'unknown', ...(providerCode ? { providerCode } : {}) }],
  });
}

/** Another attempt to send the same message is in progress. The next retry finds the outcome of that attempt in the database. */
export function sendInProgressError(): ApplicationFailure {
  return ApplicationFailure.create({ type: 'SendInProgress', message: 'Another attempt is sending this message.' });
}

/** The type of the error of a message that waits until the operator corrects the account of the service at the provider. */
export const accountRefusedType = 'ProviderAccountRefused';

/** An error after which Temporal retries the send. `provider`: the name of the provider. */
export function retryableError(
  { kind, message, providerCode, retryAfterMs }: DeliveryError,
  provider: string,
): ApplicationFailure {
  const delay = retryAfterMs === undefined ? {} : { nextRetryDelay: retryAfterMs };
  // The operator cannot correct the account of a tenant, so no alert tells of it.
  const isAccountRefused = kind === 'accountRefused' && !provider.startsWith(ownProviderPrefix);
  return ApplicationFailure.create({
    type: isAccountRefused ? accountRefusedType : 'ProviderUnavailable',
    message: isAccountRefused
      ? `The provider ${provider} refuses the account of the service (${providerCode}). Check its settings, and the account there. Messages wait until they expire.`
      : message,
    details: [{ kind, providerCode }],
    ...delay,
  });
}
