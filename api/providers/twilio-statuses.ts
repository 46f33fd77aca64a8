import { type DeliveryStatus, deliveryRank } from '../../domain/confirmations/delivery';

/** The meaning of a status of Twilio. `step`: its place among the statuses with the same meaning. */
interface Meaning {
  status: DeliveryStatus;
  step?: number;
}

/** Every status of a message at Twilio: https://www.twilio.com/docs/messaging/api/message-resource#message-status-values. */
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
]);

/** The delivery status that a status of Twilio means. Undefined for an unknown word, and before the first report (an empty text). */
export const deliveryStatusOf = (twilioStatus: string): DeliveryStatus | undefined =>
  meanings.get(twilioStatus)?.status;

/** The statuses of messages that did not arrive. */
export const failedStatuses: readonly string[] = [...meanings.keys()].filter(
  (one) => deliveryStatusOf(one) === 'failed',
);

/** Whether a status of Twilio is later than the saved one. The saved status is empty before the first report. */
export function isLaterStatus(savedStatus: string, twilioStatus: string): boolean {
  const [saved, reported] = [meanings.get(savedStatus), meanings.get(twilioStatus)];
  if (!saved || !reported) return reported !== undefined;
  const difference = deliveryRank[reported.status] - deliveryRank[saved.status];
  return difference > 0 || (difference === 0 && (reported.step ?? 0) > (saved.step ?? 0));
}
