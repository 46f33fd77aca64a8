import { ApplicationFailure } from '@temporalio/activity';
import { createDomainError, domainErrorTypes } from '../../domain/domain-error';
import { type CodeKeys, hashDestination } from '../../messages/codes';
import { phoneRangeOf } from '../../messages/phone-numbers';
import type { Logger } from '../../platform/logger';
import type { Pool } from '../../platform/postgres/postgres';
import { defineCounter } from '../../platform/telemetry/metrics';
import { type Reservation, reserveSend } from '../../store/messages/sends/reserve-send.sql';
import { listedDomainsOf } from '../../store/lists/listed-values';
import { findSend } from '../../store/messages/sends/send-states.sql';
import type { Activities, MessageToDeliver } from '../../workflows/contract/activities';
import type { OutgoingMessage } from '../providers/provider';
import { composeMessage } from './compose-message';
import {
  deniedError,
  finalSendError,
  phoneNotAllowedError,
  providerRefusedError,
  sendRejectedError,
} from './delivery-errors';
import type { MessageLimits } from './limits';

const blocksCounter = defineCounter('countersign.prefix_blocks', {
  description: 'Phone prefixes that were blocked, because too few persons answered',
  fromZero: [{}],
});

export interface ReservationDependencies {
  pool: Pool;
  keys: CodeKeys;
  /** The links in messages begin with this address. */
  publicUrl: string;
  limits: MessageLimits;
  logger: Logger;
}

/**
 * Returns the row of a message, and creates it if there is none: from then on, the message counts against the limits. `claimedBy`: see
 * `reserveSend`. `blockingError`: why a message with a row must not be sent any more. If a message without a row must not be sent, throws
 * the reason as an error. `knownError`: such a reason, if the caller knows one.
 */
export async function reserve(
  dependencies: ReservationDependencies,
  message: MessageToDeliver,
  outgoing: OutgoingMessage,
  claimedBy?: string,
  knownError?: ApplicationFailure,
): Promise<Pick<Reservation, 'row' | 'claim'> & { blockingError?: ApplicationFailure | undefined }> {
  const { settings, destination } = message;
  const isWrongPhone = settings.channel !== 'email' && phoneRangeOf(destination) === undefined;
  const error = knownError ?? (isWrongPhone ? phoneNotAllowedError() : undefined);
  if (!error) return findOrCreateRow(dependencies, message, outgoing, claimedBy);
  const row = await findSend(dependencies.pool, message.sendId);
  if (!row) throw error;
  return { row, blockingError: error };
}

/**
 * Creates the activity that reserves a message: makes sure that the message has a row, because only a message with a row counts against the
 * limits. The workflow calls this activity if the first attempt to send the message has an unknown outcome. The API answers the caller only
 * after the message is reserved. The next attempt to send the message checks whether it has expired.
 */
export function createReservation(dependencies: ReservationDependencies): Activities['reserveSend'] {
  return async (message) => {
    try {
      const outgoing = composeMessage(dependencies.keys, dependencies.publicUrl, message);
      const { row } = await reserve(dependencies, message, outgoing);
      if (row.state === 'failed') throw finalSendError(row.failure, row.providerCode);
      return {};
    } catch (error) {
      const type = error instanceof ApplicationFailure ? domainErrorTypes.find((one) => one === error.type) : undefined;
      if (type) {
        const { message: text, details } = error as ApplicationFailure;
        return { rejection: createDomainError(type, text, details?.[0] ?? {}) };
      }
      throw error;
    }
  };
}

/**
 * Reserves a message: see `reserve`. Throws if a limit is reached, the phone prefix is blocked, the tenant denies the destination or the
 * person, the person has opted out, or mails to the mailbox are stopped.
 */
async function findOrCreateRow(
  { pool, keys, limits, logger }: ReservationDependencies,
  message: MessageToDeliver,
  outgoing: OutgoingMessage,
  claimedBy: string | undefined,
): ReturnType<typeof reserve> {
  const { name, origin, channel, kind } = message.settings;
  const { sendId, tenant, transactionId, confirmationOrLinkId, expiresAt } = message;
  const { prefix, ...sendLimits } = limits.ofMessage(message, outgoing.text);
  const send = {
    ...{ sendId, tenant, transactionId, confirmationOrLinkId, settingsName: origin ?? name, channel, kind, expiresAt },
    destination: hashDestination(keys, message.destination),
    ...(prefix === undefined ? {} : { prefix }),
    ...(channel === 'email' && { domains: listedDomainsOf(message.destination) }),
  };
  const result = await reserveSend(pool, send, sendLimits, claimedBy);
  if (!('reason' in result)) {
    const { isOptedOut, deniedKind, stopCode, ...reservation } = result;
    if (deniedKind) return { ...reservation, blockingError: deniedError(deniedKind) };
    if (stopCode) return { ...reservation, blockingError: providerRefusedError('DestinationRefused', stopCode) };
    return isOptedOut ? { ...reservation, blockingError: providerRefusedError('DestinationOptedOut') } : reservation;
  }
  if (result.reason === 'optedOut') throw providerRefusedError('DestinationOptedOut');
  if (result.reason === 'stopped') throw providerRefusedError('DestinationRefused', result.code);
  if (result.reason === 'denied') throw deniedError(result.kind);
  if (result.reason === 'blocked' && result.counts) {
    blocksCounter.add(1);
    logger.warn({ tenant, blockId: result.blockId, ...result.counts }, 'a phone prefix is blocked');
  }
  throw sendRejectedError(result);
}
