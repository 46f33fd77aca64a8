import { type ApplicationFailure, isCancellation } from '@temporalio/workflow';
import type { Biometrics, PendingLinkSend } from '../../domain/biometrics/biometrics';
import type { DecisionMessage } from '../../domain/biometrics/messages';
import { linkDestination } from '../../domain/biometrics/link';
import { messageOf } from '../../domain/confirmations/confirmation';
import { formatMinutes } from '../../domain/confirmations/settings';
import type { SendResult } from '../../domain/confirmations/delivery';
import { addMs } from '../../domain/transactions/limits';
import { destinationOf } from '../../domain/confirmations/send';
import type { TransactionState } from '../../domain/transactions/state';
import {
  backgroundDeliveryOptions,
  deliverInBackground,
  deliverOnce,
  reserveSend,
  reserveSendWhenPossible,
} from '../activities';
import { domainFailureOf, reasonOfActivityError, reasonOfRejection, toFailure } from '../failures';
import type { MessageToDeliver } from '../contract/activities';
import type { LiveTransaction } from '../live-transaction';

/** A message to send, with its summary for operators. */
export interface MessageRequest {
  summary: string;
  input: MessageToDeliver;
}

/** The outcome of one attempt. `unknown`: the provider may have the message. A later attempt must find out. */
export type SendAttempt =
  | { status: 'accepted' }
  | { status: 'failed'; failureReason: string; error: ApplicationFailure }
  | { status: 'unknown' };

/** The message of one reserved send of a confirmation. */
export function confirmationMessageRequest(
  state: TransactionState,
  confirmationId: string,
  sendId: string,
): MessageRequest {
  const confirmation = state.confirmations.find((candidate) => candidate.id === confirmationId);
  const send = confirmation?.sends.find((candidate) => candidate.id === sendId);
  const destination = confirmation && destinationOf(state, confirmation.settings);
  if (!send || !destination) throw new Error(`Send ${sendId} has no confirmation or no destination: this is a bug.`);
  const { settings, language, expiresAt, codeId } = confirmation;
  const { name, origin, channel, kind, codeDigits, options, resend, expiresAfterMs, brand } = settings;
  const number = confirmation.replacedSends + confirmation.sends.indexOf(send) + 1;
  return {
    summary: `${origin ?? name}: send message ${number} of ${settings.sendLimit}`,
    input: {
      tenant: state.tenant,
      transactionId: state.id,
      confirmationOrLinkId: confirmationId,
      sendId,
      ...(codeId === undefined ? {} : { codeId }),
      settings: {
        name,
        ...(origin ? { origin } : {}),
        channel,
        kind,
        ...(codeDigits ? { codeDigits } : {}),
        ...(resend === 'rotate' ? { codeMinutes: Number(formatMinutes(expiresAfterMs)) } : {}),
        ...(options ? { options } : {}),
      },
      language,
      message: messageOf(confirmation, send),
      ...(brand ? { brand } : {}),
      destination,
      expiresAt,
    },
  };
}

/** How long the service tries to send a link. After this time, the caller has probably given the link to the person in another way. */
const linkDeliveredWithinMs = 10 * 60_000;

/** The message of one send of a link. */
export function linkMessageRequest(
  state: TransactionState,
  link: Biometrics,
  { id: sendId, channel, text: message }: PendingLinkSend,
): MessageRequest {
  // The country of the destination was checked when the link was created.
  const destination = linkDestination(state, channel);
  if (!destination) throw new Error(`Send ${sendId} has no destination: this is a bug.`);
  const deliverUntil = addMs(link.createdAt, linkDeliveredWithinMs);
  return {
    summary: `${link.origin ?? 'biometrics'}: send the link by ${channel}`,
    input: {
      tenant: state.tenant,
      transactionId: state.id,
      confirmationOrLinkId: link.id,
      sendId,
      settings: { name: 'biometrics-link', ...(link.origin ? { origin: link.origin } : {}), channel, kind: 'link' },
      language: link.language,
      message,
      ...(channel === 'email' && link.brand ? { brand: link.brand } : {}),
      destination,
      expiresAt: deliverUntil < link.expiresAt ? deliverUntil : link.expiresAt,
    },
  };
}

/** A message to the person after the decision on their images. Throws Error if the transaction has no destination on the channel. */
export function decisionDeliveryRequest(
  state: TransactionState,
  link: Biometrics,
  { sendId, channel, message, expiresAt }: DecisionMessage,
): MessageRequest {
  // The link was sent to this destination, so its country is allowed.
  const destination = linkDestination(state, channel);
  if (!destination) throw new Error(`Send ${sendId} has no destination.`);
  return {
    summary: `biometrics: tell the person by ${channel} that the check is finished`,
    input: {
      tenant: state.tenant,
      transactionId: state.id,
      confirmationOrLinkId: link.id,
      sendId,
      settings: { name: 'biometrics-decision', channel, kind: 'biometricsResult' },
      language: link.language,
      message,
      ...(channel === 'email' && link.brand ? { brand: link.brand } : {}),
      destination,
      expiresAt,
    },
  };
}

/**
 * Reserves a message. Returns why it will not be sent. Undefined if it counts against the limits and may be sent. The local activity runs
 * inside the lock, as every local activity. During an outage of the database, the lock is free.
 */
async function reserve(live: LiveTransaction, input: MessageToDeliver): Promise<ApplicationFailure | undefined> {
  const reservation = await live.runExclusive(() => reserveSend(input).catch(() => undefined));
  const { rejection } = reservation ?? (await reserveSendWhenPossible(input));
  return rejection && toFailure(rejection);
}

/**
 * Makes the one attempt for which a caller waits. If the outcome is unknown, perhaps no worker began the attempt, so the message may not
 * count against the limits yet. In this case, reserves the message before the caller gets the answer. Do not call this inside
 * `runExclusive`.
 */
export async function attemptDelivery(live: LiveTransaction, { summary, input }: MessageRequest): Promise<SendAttempt> {
  try {
    await deliverOnce.executeWithOptions({ summary }, [input]);
    return { status: 'accepted' };
  } catch (error) {
    if (isCancellation(error)) throw error;
    const rejection = domainFailureOf(error) ?? (await reserve(live, input));
    return rejection
      ? { status: 'failed', failureReason: reasonOfRejection(rejection), error: rejection }
      : { status: 'unknown' };
  }
}

/** Retries until the provider accepts or rejects the message, or the message expires. */
export async function deliverUntilMessageExpires({ summary, input }: MessageRequest): Promise<SendResult> {
  const scheduleToCloseTimeout = Math.max(1_000, Date.parse(input.expiresAt) - Date.now());
  try {
    await deliverInBackground.executeWithOptions({ ...backgroundDeliveryOptions, scheduleToCloseTimeout, summary }, [
      input,
    ]);
    return { status: 'accepted' };
  } catch (error) {
    if (isCancellation(error)) throw error;
    return { status: 'failed', failureReason: reasonOfActivityError(error) };
  }
}

/** Like `deliverUntilMessageExpires`, for a message whose first attempt has an unknown outcome. */
export const continueUntilMessageExpires = ({ summary, input }: MessageRequest): Promise<SendResult> =>
  deliverUntilMessageExpires({ summary: `${summary} (retry)`, input });
