import { ApplicationFailure } from '@temporalio/activity';
import type { DomainErrorDetails, DomainErrorType } from '../domain/domain-error';
import type { DeliveryError, DeliveryErrorKind } from './messaging/channel';

type PermanentErrorKind = Exclude<DeliveryErrorKind, 'notTaken' | 'unknown'>;

const messages: Record<PermanentErrorKind, string> = {
  DestinationRefused: 'The provider cannot reach this phone or mailbox.',
  DestinationOptedOut: 'The owner of this phone or mailbox wants no messages.',
  ProviderRefused: 'The provider refused the message.',
};

/** A final failure that callers are told of; no alarm for operators. `MessageExpired` stays inside the workflow. */
function permanentError(
  type: DomainErrorType | 'MessageExpired',
  message: string,
  details: DomainErrorDetails,
): ApplicationFailure {
  return ApplicationFailure.create({ type, message, nonRetryable: true, category: 'BENIGN', details: [details] });
}

/** The provider, or the owner of the address, does not want the message. */
export function providerRefused(type: PermanentErrorKind, providerCode?: string | null): ApplicationFailure {
  return permanentError(type, messages[type], providerCode ? { providerCode } : {});
}

/** The failure of a send that an earlier attempt has closed. */
export function closedBefore(failure: string | null, providerCode: string | null): ApplicationFailure {
  if (failure === 'MessageExpired') return messageExpired();
  return providerRefused(
    failure !== null && failure in messages ? (failure as PermanentErrorKind) : 'ProviderRefused',
    providerCode,
  );
}

/** The phone or mailbox has had its messages for the day. */
export function dailyLimitReached(retryAfterSeconds: number): ApplicationFailure {
  const message = 'This phone or mailbox has received all its messages of the day.';
  return permanentError('DestinationDailyLimitReached', message, { retryAfterSeconds });
}

/** The message is of no more use. */
export function messageExpired(): ApplicationFailure {
  return permanentError('MessageExpired', 'The message expired before the provider took it.', {});
}

/** Another attempt at the same send is asking the provider: its outcome is seen by the next attempt. */
export function sendUnderWay(): ApplicationFailure {
  return ApplicationFailure.create({ type: 'SendUnderWay', message: 'Another attempt is sending this message.' });
}

/** Worth another attempt. */
export function notDelivered({ kind, message, providerCode, retryAfterMs }: DeliveryError): ApplicationFailure {
  const delay = retryAfterMs === undefined ? {} : { nextRetryDelay: retryAfterMs };
  return ApplicationFailure.create({
    type: 'ProviderUnavailable',
    message,
    details: [{ kind, providerCode }],
    ...delay,
  });
}
