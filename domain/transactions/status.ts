import { type Biometrics, isOpenLink, pendingLinkSends } from '../biometrics/biometrics';
import { linkInReview } from '../biometrics/capture';
import { type Confirmation, isOpen, sendsLeft } from '../confirmations/confirmation';
import { currentStepName, decisionDueAt, givesUpAt, isRunning, type RunningFlowRun } from '../flows/run';
import type { RejectedSend, TransactionState } from './state';
import { addMs } from './limits';
import type { Channel } from '../confirmations/settings';
import { attemptsRemaining } from '../confirmations/check-code';
import { faceVerificationEndsAt } from '../biometrics/review';

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

/** An open code or question. `resendAt`: the time from which its message can be sent again. Absent if the message cannot be sent again. */
interface AwaitedMessage {
  channel: Channel;
  expiresAt: string;
  sendsLeft: number;
  resendAt?: string;
}

/** An open confirmation: a code or a reply that the person has not given yet. */
export type AwaitedConfirmationView =
  | (AwaitedMessage & { kind: 'token'; attemptsLeft: number })
  | (AwaitedMessage & { kind: 'reply' });

/** Something that a transaction waits for: an action of the person, or the decision of a reviewer. */
export type AwaitedItem =
  | (AwaitedConfirmationView & { confirmationId: string; name: string })
  // An open link, until the person submits the images.
  | { kind: 'images'; biometricsId: string; expiresAt: string }
  // A link with submitted images, until the reviewer decides.
  | { kind: 'decision'; biometricsId: string };

/** What an open confirmation waits for, and what the caller may still do. */
export function viewAwaitedConfirmation(state: TransactionState, confirmation: Confirmation): AwaitedConfirmationView {
  const { settings, expiresAt, sends } = confirmation;
  const sendsRemaining = sendsLeft(confirmation);
  const resendAt = addMs(sends.at(-1)?.at ?? confirmation.createdAt, settings.resendAfterMs);
  const message = {
    channel: settings.channel,
    expiresAt,
    sendsLeft: sendsRemaining,
    ...(sendsRemaining > 0 && resendAt < expiresAt ? { resendAt } : {}),
  };
  return settings.kind === 'token'
    ? { kind: 'token', ...message, attemptsLeft: attemptsRemaining(state, confirmation) }
    : { kind: 'reply', ...message };
}

/** Everything that a transaction waits for: open confirmations, oldest first, then the open link, then the decision on images. */
export function allAwaited(state: TransactionState): AwaitedItem[] {
  const confirmations = state.confirmations.filter(isOpen).map((confirmation) => ({
    ...viewAwaitedConfirmation(state, confirmation),
    confirmationId: confirmation.id,
    name: confirmation.settings.origin ?? confirmation.settings.name,
  }));
  const links = (state.biometrics ?? [])
    .filter(isOpenLink)
    .map(({ id, expiresAt }) => ({ kind: 'images' as const, biometricsId: id, expiresAt }));
  const inReview = linkInReview(state);
  return [...confirmations, ...links, ...(inReview ? [{ kind: 'decision' as const, biometricsId: inReview.id }] : [])];
}

/**
 * How long after its last change a transaction with work in progress, such as sending a message, becomes due. An attempt for which a caller
 * waits takes at most 10 s, so after a minute the work is either retried in the background, or lost with its workflow. Work that may need
 * longer, such as a notify step, has its own limit, and is due only at this limit.
 */
const workMs = 60_000;

/** For how long a flow run can wait without its workflow. Undefined if it waits for something with its own expiry. */
function runDueAt({ biometrics = [] }: TransactionState, run: RunningFlowRun, workDueAt: string): string | undefined {
  const { awaiting, plan } = run;
  const step = plan.flow.steps[currentStepName(run)];
  if (step?.kind === 'notify') return givesUpAt(run, step);
  if (!awaiting) return workDueAt;
  if ('until' in awaiting) return awaiting.until;
  const link = 'biometricsId' in awaiting ? biometrics.find(({ id }) => id === awaiting.biometricsId) : undefined;
  return link?.submittedAt === undefined ? undefined : decisionDueAt(run, link.submittedAt);
}

/**
 * When the workflow of a transaction must have acted, so that its record changes without a command: at the next expiry or end of a wait, or
 * soon if work is in progress. ISO 8601. Undefined if only a command can change the transaction. A record that is due for some time has
 * lost its workflow, or its workflow is behind the record.
 */
export function dueAtOf(state: TransactionState): string | undefined {
  const workDueAt = addMs(state.changedAt, workMs);
  const openConfirmations = state.confirmations.filter(isOpen);
  const hasPendingSends =
    openConfirmations.some(({ sends }) => sends.some((send) => send.state === 'pending')) ||
    (state.biometrics ?? []).some((one) => pendingLinkSends(one).length > 0);
  const link = linkInReview(state);
  const isWorking = !state.evidence || hasPendingSends;
  const times = [
    ...openConfirmations.map(({ expiresAt }) => expiresAt),
    ...(state.biometrics ?? []).filter(isOpenLink).map(({ expiresAt }) => expiresAt),
    ...(state.runs ?? []).filter(isRunning).map((run) => runDueAt(state, run, workDueAt)),
    link && faceVerificationEndsAt(link),
    isWorking ? workDueAt : undefined,
  ];
  return times.filter((time) => time !== undefined).sort()[0];
}
