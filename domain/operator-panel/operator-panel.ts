import type { Biometrics } from '../biometrics/biometrics';
import { reviewedLink } from '../biometrics/capture';
import { linkAwaits, linkLines } from './link-lines';
import { timeOrDateAndTime, dateAndTime } from './format-time';
import { isOpen } from '../confirmation';
import { confirmationAwaits, confirmationLine, rejectedSendText } from './confirmation-lines';
import { isRunning, stepOf } from '../flows/run';
import { runAwaits, runLine } from './run-lines';
import { limits } from '../limits';
import type { TransactionState } from '../state';

type Status = 'Open' | 'InReview' | 'Confirmed' | 'Rejected' | 'Denied' | 'Blocked' | 'Undeliverable';

/** Whether all messages with the link failed and nobody has opened it. */
const isUndelivered = ({ sends, openedAt }: Biometrics) =>
  openedAt === undefined && sends.every(({ state }) => state === 'failed');

/** Whether all messages of the newest confirmation or link failed. */
function isUndeliverable({ confirmations, biometrics = [] }: TransactionState): boolean {
  const asked = confirmations.at(-1);
  const link = biometrics.findLast(({ sends }) => sends.length > 0);
  if (link && link.createdAt >= (asked?.createdAt ?? '')) return isUndelivered(link);
  return asked?.status === 'Failed';
}

/** The status of a transaction that operators search by. */
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

/** The values of the search attributes, besides the tenant. */
export interface Attributes {
  status: Status;
  /** Of the newest running run, else of the newest run. */
  flow?: string;
  flowVersion?: string;
  /** While the run is running. */
  flowStep?: string;
  /** After the run has ended. `Canceled` for a canceled run: no outcome may have this name. */
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
 * Markdown for the details panel of the Temporal UI: what happened and what is pending. No personal data. Instants have a
 * date when it differs from the date of creation.
 */
export function operatorPanel(state: TransactionState): string {
  const at = (instant: string) => timeOrDateAndTime(state.createdAt, instant);
  const runs = state.runs ?? [];
  const open = [
    ...state.confirmations.filter(isOpen).map((confirmation) => confirmationAwaits(confirmation, at)),
    ...[linkAwaits(state, at), ...runs.map((run) => runAwaits(run, at))].filter((text) => text !== undefined),
  ];
  const { rejectedSends = [] } = state;
  const awaited = open.length > 0 ? open.join('; ') : 'nothing is pending';
  const rejected = rejectedSends.at(-1);
  const isNewest =
    rejected && state.confirmations.every(({ sends }) => sends.every(({ at: sentAt }) => sentAt <= rejected.at));
  const score = state.scores.at(-1);
  const against = state.insights.filter(({ relevance }) => relevance === 'Negativo').map(({ code }) => code);
  const lines = [
    `**${statusOf(state)}**: ${isNewest ? `${rejectedSendText(rejected, at)}; ` : ''}${awaited}.`,
    '',
    score
      ? `Score ${score.value} after ${score.reason}; attempts ${state.attemptsUsed} of ${limits.attemptsPerTransaction}.`
      : 'Not assessed yet.',
    ...(against.length > 0 ? [`Negative findings: ${against.join(', ')}.`] : []),
    `Created ${dateAndTime(state.createdAt)}, changed ${at(state.changedAt)} (version ${state.version}). Times are UTC.`,
  ];
  // A list, newest first: the panel is low, and a table would need scrolling. The UI cuts off the last line, so it is empty.
  return [
    ...lines,
    '',
    ...runs.toReversed().map((run) => runLine(run, at)),
    ...linkLines(state, at),
    ...rejectedSends.toReversed().map((one) => `- ${rejectedSendText(one, at)}`),
    ...state.confirmations.toReversed().map((confirmation) => confirmationLine(confirmation, at)),
    '',
    '—',
  ].join('\n');
}
