import { type DeliveryStatus, deliveryRank } from '../domain/confirmations/delivery';

/** The meaning of a status of Twilio. `step`: its place among the statuses with the same meaning. */
interface Meaning {
  status: DeliveryStatus;
  step?: number;
}

/**
 * Every status of a message at Twilio (https://www.twilio.com/docs/messaging/api/message-resource#message-status-values), and of a call
 * (https://www.twilio.com/docs/voice/api/call-resource#call-status-values). A call is `completed` even if a machine answered, or if the
 * person hung up before the call said the code. So the service adds a status of its own when Twilio asks what the call says:
 * `answered-by-person`, which `completed` does not replace, or `answered-by-machine`.
 */
const meanings: ReadonlyMap<string, Meaning> = new Map([
  ['accepted', { status: 'accepted' }],
  ['scheduled', { status: 'accepted' }],
  ['queued', { status: 'accepted', step: 1 }],
  ['sending', { status: 'accepted', step: 2 }],
  ['sent', { status: 'sent' }],
  ['failed', { status: 'failed' }],
  ['undelivered', { status: 'failed' }],
  ['canceled', { status: 'failed' }],
  ['delivered', { status: 'delivered' }],
  ['read', { status: 'read' }],
  ['initiated', { status: 'accepted', step: 2 }],
  ['ringing', { status: 'accepted', step: 3 }],
  ['in-progress', { status: 'sent' }],
  ['busy', { status: 'failed' }],
  ['no-answer', { status: 'failed' }],
  ['completed', { status: 'failed' }],
  ['answered-by-machine', { status: 'failed', step: 1 }],
  ['answered-by-person', { status: 'delivered' }],
]);

/** The delivery status that a status of Twilio means. Undefined for an unknown word, and before the first report (an empty text). */
export const deliveryStatusOf = (twilioStatus: string): DeliveryStatus | undefined =>
  meanings.get(twilioStatus)?.status;

/** The statuses of messages that did not arrive. */
export const failedStatuses: readonly string[] = [...meanings.keys()].filter(
  (one) => deliveryStatusOf(one) === 'failed',
);

/** The statuses of messages that arrived. */
export const deliveredStatuses: readonly string[] = [...meanings.keys()].filter((one) =>
  ['delivered', 'read'].includes(deliveryStatusOf(one) ?? ''),
);

/**
 * The statuses of Twilio that a report of `twilioStatus` does not replace: this status and all that can follow it. A report replaces every
 * other saved status, also one that the service does not know.
 */
export function sameOrLaterStatuses(twilioStatus: string): string[] {
  const placeOf = ({ status, step = 0 }: Meaning) => deliveryRank[status] * 10 + step;
  const reported = meanings.get(twilioStatus);
  if (!reported) return [];
  return [...meanings].filter(([, meaning]) => placeOf(meaning) >= placeOf(reported)).map(([word]) => word);
}
