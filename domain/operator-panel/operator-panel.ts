import type { Biometrics } from '../biometrics/biometrics';
import { reviewedLink } from '../biometrics/capture';
import { linkAwaits, linkLines } from './link-lines';
import { timeOrDateAndTime, dateAndTime } from './format-time';
import { isOpen } from '../confirmation';
import { confirmationAwaits, confirmationLine, refusedSendText } from './confirmation-lines';
import { isRunning, stepOf } from '../flows/run';
import { runAwaits, runLine } from './run-lines';
import { limits } from '../limits';
import type { TransactionState } from '../state';

type Status = 'Open' | 'InReview' | 'Confirmed' | 'Rejected' | 'Denied' | 'Blocked' | 'Undeliverable';

/** Whether nobody can have the link by a message of ours: all failed, and it was not opened. */
const isUndelivered = ({ sends, openedAt }: Biometrics) =>
  openedAt === undefined && sends.every(({ state }) => state === 'failed');

/** Whether nothing of what was asked last can arrive: all messages of the newest confirmation failed, or of a newer link. */
function isUndeliverable({ confirmations, biometrics = [] }: TransactionState): boolean {
  const asked = confirmations.at(-1);
  const link = biometrics.findLast(({ sends }) => sends.length > 0);
  if (link && link.createdAt >= (asked?.createdAt ?? '')) return isUndelivered(link);
  return asked?.status === 'Failed';
}

/** What came of a transaction so far, in one word that operators search by. */
export function statusOf(state: TransactionState): Status {
  const { denied, phone, email, biometrics } = state.facts;
  if (denied) return 'Denied';
  if (reviewedLink(state)) return 'InReview';
  if (biometrics?.status === 'Rejected') return 'Rejected';
  if (phone ?? email ?? biometrics?.status === 'Approved') return 'Confirmed';
  const last = state.confirmations.at(-1)?.status;
  if (last === 'Blocked') return 'Blocked';
  return isUndeliverable(state) ? 'Undeliverable' : 'Open';
}

/** What operators search by, besides the tenant. */
export interface Attributes {
  status: Status;
  /** Of the newest run that goes on, else of the newest. */
  flow?: string;
  flowVersion?: string;
  /** While it runs. */
  flowStep?: string;
  /** Once it has ended; `Canceled` when it was canceled, which no flow may call an end. */
  flowOutcome?: string;
}

export function attributesOf(state: TransactionState): Attributes {
  const status = statusOf(state);
  const { runs = [] } = state;
  const run = runs.findLast(isRunning) ?? runs.at(-1);
  if (!run) return { status };
  const { flow, version } = run;
  const running = isRunning(run);
  return {
    status,
    flow,
    flowVersion: String(version),
    ...(running ? { flowStep: stepOf(run) } : { flowOutcome: run.outcome ?? run.status }),
  };
}

/**
 * Markdown for the details panel of the Temporal UI: what happened, what is awaited. No personal data. Instants have a day
 * where it is not the one on which the transaction was created.
 */
export function operatorPanel(state: TransactionState): string {
  const at = (instant: string) => timeOrDateAndTime(state.createdAt, instant);
  const runs = state.runs ?? [];
  const open = [
    ...state.confirmations.filter(isOpen).map((confirmation) => confirmationAwaits(confirmation, at)),
    ...[linkAwaits(state, at), ...runs.map((run) => runAwaits(run, at))].filter((words) => words !== undefined),
  ];
  const { refusedSends = [] } = state;
  const awaited = open.length > 0 ? open.join('; ') : 'nothing is awaited';
  const refused = refusedSends.at(-1);
  const isNewest =
    refused && state.confirmations.every(({ sends }) => sends.every(({ at: sentAt }) => sentAt <= refused.at));
  const score = state.scores.at(-1);
  const against = state.insights.filter(({ relevance }) => relevance === 'Negativo').map(({ code }) => code);
  const lines = [
    `**${statusOf(state)}**: ${isNewest ? `${refusedSendText(refused, at)}; ` : ''}${awaited}.`,
    '',
    score
      ? `Score ${score.value} after ${score.reason}; values tried ${state.attemptsUsed} of ${limits.attemptsPerTransaction}.`
      : 'Not assessed yet.',
    ...(against.length > 0 ? [`Findings against it: ${against.join(', ')}.`] : []),
    `Created ${dateAndTime(state.createdAt)}, changed ${at(state.changedAt)} (record ${state.version}). Times are UTC.`,
  ];
  // A list and not a table: the panel is low, and the newest must stand where it is seen without scrolling.
  // The frame of the panel cuts its last line off: that one says nothing.
  return [
    ...lines,
    '',
    ...runs.toReversed().map((run) => runLine(run, at)),
    ...linkLines(state, at),
    ...refusedSends.toReversed().map((one) => `- ${refusedSendText(one, at)}`),
    ...state.confirmations.toReversed().map((confirmation) => confirmationLine(confirmation, at)),
    '',
    '—',
  ].join('\n');
}
