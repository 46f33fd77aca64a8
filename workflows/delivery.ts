import { isCancellation } from '@temporalio/workflow';
import { messageOf } from '../domain/confirmation';
import type { SettledDelivery } from '../domain/delivery';
import { destinationOf } from '../domain/request';
import type { TransactionState } from '../domain/state';
import { backgroundDelivery, deliverInBackground } from './activities';
import type { MessageToDeliver } from './ports';
import { faultBehind } from './refusal';

/** A message ready to go, and how operators read it. */
export interface OutgoingMessage {
  summary: string;
  input: MessageToDeliver;
}

/** The message of one reserved send. */
export function messageFor(state: TransactionState, confirmationId: string, sendId: string): OutgoingMessage {
  const confirmation = state.confirmations.find((candidate) => candidate.id === confirmationId);
  const send = confirmation?.sends.find((candidate) => candidate.id === sendId);
  const destination = confirmation && destinationOf(state, confirmation.flow);
  if (!send || !destination) throw new Error(`Send ${sendId} has no confirmation or no destination.`);
  const { flow, language, expiresAt } = confirmation;
  const { name, asker, channel, kind, codeDigits, options } = flow;
  const number = confirmation.sendsBefore + confirmation.sends.indexOf(send) + 1;
  return {
    summary: `${asker ?? name}: send message ${number} of ${flow.sendLimit}`,
    input: {
      tenant: state.tenant,
      transactionId: state.id,
      confirmationId,
      sendId,
      flow: {
        name,
        ...(asker ? { asker } : {}),
        channel,
        kind,
        ...(codeDigits ? { codeDigits } : {}),
        ...(options ? { options } : {}),
      },
      language,
      message: messageOf(confirmation, send),
      destination,
      expiresAt,
    },
  };
}

/** Tries until the provider took the message, refused it, or it is of no more use. */
export async function deliverUntilExpiry({ summary, input }: OutgoingMessage): Promise<SettledDelivery> {
  const scheduleToCloseTimeout = Math.max(1_000, Date.parse(input.expiresAt) - Date.now());
  try {
    await deliverInBackground.executeWithOptions(
      { ...backgroundDelivery, scheduleToCloseTimeout, summary: `${summary}, again` },
      [input],
    );
    return { status: 'accepted' };
  } catch (error) {
    if (isCancellation(error)) throw error;
    return { status: 'failed', fault: faultBehind(error) };
  }
}
