import { type Biometrics, isOpenLink } from './biometrics/biometrics';
import { linkInReview } from './biometrics/capture';
import { isOpen } from './confirmation';
import { isRunning } from './flows/run';
import type { RejectedSend, TransactionState } from './state';

/**
 * `Open`: nothing is decided; `awaited` says what the transaction waits for. `InReview`: images wait for a decision. `Confirmed`: the
 * person confirmed a phone or mailbox, or their images were approved. `Rejected`, `Inconclusive`: the decision on the newest images.
 * `Denied`: the person said that they did not make the request. `Blocked`: the newest code has no attempts left. `Expired`: the newest
 * confirmation or link expired, and nothing is open. `Undeliverable`: the newest messages failed or were rejected.
 */
export const transactionStatuses = [
  'Open',
  'InReview',
  'Confirmed',
  'Rejected',
  'Inconclusive',
  'Denied',
  'Blocked',
  'Expired',
  'Undeliverable',
] as const;

export type TransactionStatus = (typeof transactionStatuses)[number];

/** Whether all messages with the link failed and nobody has opened it. */
const isUndelivered = ({ sends, openedAt }: Biometrics) =>
  openedAt === undefined && sends.every(({ state }) => state === 'failed');

/** The newest link with at least one message. */
const newestSentLink = ({ biometrics = [] }: TransactionState) => biometrics.findLast(({ sends }) => sends.length > 0);

/** The newest rejected message, if no message was sent after its rejection. */
export function newestRejection(state: TransactionState): RejectedSend | undefined {
  const rejection = state.rejectedSends?.at(-1);
  if (!rejection) return undefined;
  const sentAt = [
    ...state.confirmations.flatMap(({ sends }) => sends.map(({ at }) => at)),
    newestSentLink(state)?.createdAt ?? '',
  ];
  return sentAt.every((at) => at <= rejection.at) ? rejection : undefined;
}

/** Whether the person can still do something: a confirmation or a link is open, or a flow run continues. */
const hasOpenItems = ({ confirmations, biometrics = [], runs = [] }: TransactionState) =>
  confirmations.some(isOpen) || biometrics.some(isOpenLink) || runs.some(isRunning);

/**
 * Whether the newest messages failed or were rejected. There are two cases. First: the newest message was rejected, and no confirmation or
 * link is open. Second: all messages of the newest confirmation failed. If a sent link is newer than this confirmation, the messages of the
 * link count instead.
 */
function isUndeliverable(state: TransactionState): boolean {
  const { confirmations, biometrics = [] } = state;
  if (newestRejection(state) && !confirmations.some(isOpen) && !biometrics.some(isOpenLink)) return true;
  const newestConfirmation = confirmations.at(-1);
  const link = newestSentLink(state);
  if (link && link.createdAt >= (newestConfirmation?.createdAt ?? '')) return isUndelivered(link);
  return newestConfirmation?.status === 'Failed';
}

/** Whether the newest confirmation or link expired, and nothing is open. */
function isExpired(state: TransactionState): boolean {
  const [confirmation, link] = [state.confirmations.at(-1), state.biometrics?.at(-1)];
  const newest = (link?.createdAt ?? '') > (confirmation?.createdAt ?? '') ? link : confirmation;
  return (newest?.status === 'Expired' || newest?.status === 'Abandoned') && !hasOpenItems(state);
}

/** The status of a transaction, for callers and operators. */
export function transactionStatusOf(state: TransactionState): TransactionStatus {
  const { deniedAt: denied, phoneConfirmedAt: phone, emailConfirmedAt: email, biometrics } = state.facts;
  if (denied) return 'Denied';
  if (linkInReview(state)) return 'InReview';
  if (biometrics?.status === 'Rejected') return 'Rejected';
  if (phone ?? email ?? biometrics?.status === 'Approved') return 'Confirmed';
  if (state.biometrics?.at(-1)?.status === 'Inconclusive') return 'Inconclusive';
  if (state.confirmations.at(-1)?.status === 'Blocked') return 'Blocked';
  if (isUndeliverable(state)) return 'Undeliverable';
  return isExpired(state) ? 'Expired' : 'Open';
}
