import {
  type Confirmation,
  isOpen,
  isPastExpiry,
  messageOf,
  type SecondFactorStatus,
  type Send,
  sendsLeft,
  type StatusLogEntry,
} from './confirmation';
import { type Channel, channels } from './settings';
import { confirmationOfSend, type TransactionState, withConfirmation } from '../transactions/state';

/** What a provider reports about a message. The words are the same for all providers. */
export type DeliveryStatus = 'accepted' | 'sent' | 'delivered' | 'read' | 'failed';

/** The delivery status of a message to the person, not of a delivery to a webhook. `failureReason`: why the message failed. */
export interface ReportedStatus<Status extends DeliveryStatus = DeliveryStatus> {
  status: Status;
  failureReason?: string;
}

/** The result of sending a message, or of a later report about it: the provider accepted the message, or the message failed. */
export type SendResult = ReportedStatus<'accepted' | 'failed'>;

/** A failure reason with the provider's error number, such as `Undelivered 30005`. */
export const failureReasonOf = (reason: string, providerCode?: string): string =>
  providerCode === undefined ? reason : `${reason} ${providerCode}`;

/**
 * The delivery status that a status callback reports, with the reason if it is `failed`. `providerCode`: the error number of the provider.
 */
export const toReportedStatus = <Status extends DeliveryStatus>(
  status: Status,
  providerCode?: string,
): ReportedStatus<Status> =>
  status === 'failed' ? { status, failureReason: failureReasonOf('Undelivered', providerCode) } : { status };

/** The rank of each delivery status of a provider. A status with a higher rank is later. A message that had failed can still arrive. */
export const deliveryRank: Readonly<Record<DeliveryStatus, number>> = {
  accepted: 0,
  sent: 1,
  failed: 2,
  delivered: 3,
  read: 4,
};

/** The rank of each status that callers read. Unlike a report of a provider, a status that callers have read as `Failed` is final. */
const statusRank: Record<SecondFactorStatus, number> = {
  Waiting: 0,
  Sent: 1,
  Delivered: 2,
  Read: 3,
  Replied: 4,
  Failed: 5,
  Expired: 5,
};

/** The status that callers read for a delivery status on a channel. */
export function callerStatusOf(channel: Channel, status: DeliveryStatus): SecondFactorStatus {
  if (status === 'failed') return 'Failed';
  if (channel === 'email') return 'Sent';
  if (status === 'accepted') return 'Waiting';
  if (status === 'sent') return 'Sent';
  if (channel === 'sms' || channel === 'voice') return 'Delivered';
  return status === 'read' ? 'Read' : 'Sent';
}

function replaceSend(confirmation: Confirmation, changed: Send): Confirmation {
  return { ...confirmation, sends: confirmation.sends.map((send) => (send.id === changed.id ? changed : send)) };
}

/** Adds an entry to the status log of a second factor. `send`: the message whose status changed, if any. Tokens have no log. */
function addLogEntry(confirmation: Confirmation, status: SecondFactorStatus, now: string, send?: Send): Confirmation {
  const { settings, log, sends } = confirmation;
  const loggedSend = send ?? sends.at(-1);
  if (settings.kind !== 'secondFactor' || !loggedSend) return confirmation;
  const text = messageOf(confirmation, loggedSend).body;
  const entry: StatusLogEntry = {
    status,
    at: now,
    text,
    sendsLeft: sendsLeft(confirmation),
    ...(send ? { sendId: send.id } : {}),
  };
  const waitingIndex = log.findIndex((old) => old.status === 'Waiting' && old.sendId === send?.id);
  // No provider reports on an e-mail. When it is sent, its entry in the log changes from Waiting to Sent.
  if (settings.channel === 'email' && status === 'Sent' && waitingIndex >= 0)
    return { ...confirmation, log: log.map((old, index) => (index === waitingIndex ? { ...entry, at: old.at } : old)) };
  return { ...confirmation, log: [...log, entry] };
}

/** Gives an open confirmation the status `Failed` if all its messages have failed. `send`: the message that failed last, if known. */
export function failIfUndeliverable(confirmation: Confirmation, now: string, send?: Send): Confirmation {
  const hasActiveSend = confirmation.sends.some(({ state }) => state !== 'failed');
  if (hasActiveSend || !isOpen(confirmation)) return confirmation;
  return { ...addLogEntry(confirmation, 'Failed', now, send), status: 'Failed' };
}

/** The state after a new code was sent. Older open codes of the same confirmation settings, such as `sms-token`, become `Superseded`. */
function supersedeOlder(state: TransactionState, { id, settings }: Confirmation): TransactionState {
  const newestIndex = state.confirmations.findIndex((other) => other.id === id);
  const confirmations = state.confirmations.map((other, index) =>
    index < newestIndex && other.settings.name === settings.name && other.status === 'Waiting'
      ? { ...other, status: 'Superseded' as const }
      : other,
  );
  return { ...state, confirmations };
}

/** Applies a delivery status. Returns undefined if it changes nothing, because it is late, repeated or out of order. */
export function applyDeliveryStatus(
  state: TransactionState,
  sendId: string,
  { status, failureReason }: ReportedStatus,
  now: string,
): TransactionState | undefined {
  const confirmation = confirmationOfSend(state, sendId);
  const send = confirmation?.sends.find((candidate) => candidate.id === sendId);
  if (!confirmation || !send || send.state === 'failed') return undefined;
  const callerStatus = callerStatusOf(confirmation.settings.channel, status);
  if (callerStatus === 'Failed') {
    if (statusRank[send.callerStatus] >= statusRank.Delivered) return undefined;
    const failedSend: Send = {
      ...send,
      state: 'failed',
      callerStatus,
      ...(failureReason === undefined ? {} : { failureReason }),
    };
    return withConfirmation(state, failIfUndeliverable(replaceSend(confirmation, failedSend), now, failedSend));
  }
  const isHigherRank = statusRank[callerStatus] > statusRank[send.callerStatus];
  if (!isHigherRank && send.state === 'accepted') return undefined;
  const updated = replaceSend(confirmation, {
    ...send,
    state: 'accepted',
    callerStatus: isHigherRank ? callerStatus : send.callerStatus,
  });
  if (confirmation.settings.kind === 'token') return supersedeOlder(withConfirmation(state, updated), updated);
  if (!isHigherRank || !isOpen(confirmation) || isPastExpiry(confirmation, now))
    return withConfirmation(state, updated);
  const raisesStatus = statusRank[callerStatus] > statusRank[confirmation.status as SecondFactorStatus];
  return withConfirmation(state, {
    ...addLogEntry(updated, callerStatus, now, send),
    status: raisesStatus ? callerStatus : confirmation.status,
  });
}

/** Closes expired confirmations. The workflow calls this when its timer fires, and every read calls it too. */
export function expireConfirmations(state: TransactionState, now: string): TransactionState {
  const expired = state.confirmations.filter((confirmation) => isPastExpiry(confirmation, now));
  return expired.reduce((current, confirmation) => {
    // The entry has the time of expiry, not the time of this call.
    const withEntry = addLogEntry(confirmation, 'Expired', confirmation.expiresAt);
    return withConfirmation(current, { ...withEntry, status: 'Expired' });
  }, state);
}

/** The channel and the kind of a message. What a report about the message changes depends on both. */
interface ReportedMessage {
  channel: Channel;
  kind: 'token' | 'secondFactor' | 'link' | 'biometricsResult';
}

/** What a delivery status means for the transaction. Undefined if the transaction would not change. */
function relevantStatus({ channel, kind }: ReportedMessage, status?: DeliveryStatus): DeliveryStatus | undefined {
  if (status === undefined || status === 'accepted') return undefined;
  if (status === 'failed') return 'failed';
  if (kind === 'token' || kind === 'biometricsResult') return undefined;
  // A link needs no status after `sent`: it is InProgress as soon as the person opens it.
  if (kind === 'link' || status === 'sent') return 'sent';
  if (status === 'delivered') return channel === 'sms' ? 'delivered' : 'sent';
  return channel === 'whatsapp' ? 'read' : undefined;
}

/**
 * The delivery status to send to the transaction for a report that is later than `savedStatus`, the status that the transaction was told
 * before; undefined before the first report. Undefined if the report means the same to the transaction, or nothing.
 */
export function deliveryStatusToSend(
  message: ReportedMessage,
  savedStatus: DeliveryStatus | undefined,
  status: DeliveryStatus,
): DeliveryStatus | undefined {
  const meaning = relevantStatus(message, status);
  return meaning === relevantStatus(message, savedStatus) ? undefined : meaning;
}

const kinds = ['token', 'secondFactor', 'link', 'biometricsResult'] as const;

/** The messages for which a delivery status can change the transaction, each as `channel/kind`. */
export const messagesChangedBy = (status: DeliveryStatus): string[] =>
  channels.flatMap((channel) =>
    kinds.filter((kind) => relevantStatus({ channel, kind }, status) !== undefined).map((kind) => `${channel}/${kind}`),
  );
