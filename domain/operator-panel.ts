import { type Biometrics, captureKinds, isOpenLink } from './biometrics/biometrics';
import { reviewedLink } from './biometrics/capture';
import { clock, clockSince, dated } from './clock';
import type { Confirmation } from './confirmation';
import { isOpen } from './confirmation';
import { isRunning, stepOf } from './flows/run';
import { runAwaits, runLine } from './flows/run-lines';
import { limits } from './limits';
import type { TransactionState } from './state';

type Status = 'Open' | 'InReview' | 'Confirmed' | 'Rejected' | 'Denied' | 'Blocked' | 'Undeliverable';

/** Whether nobody can have the link by a message of ours: all failed, and it was not opened. */
const isUndelivered = ({ sends, openedAt }: Biometrics) =>
  openedAt === undefined && sends.every(({ state }) => state === 'failed');

/** Whether the newest message could not be delivered: of a confirmation, or with a link that we sent. */
function isUndeliverable({ confirmations, biometrics = [] }: TransactionState): boolean {
  const asked = confirmations.at(-1);
  const link = biometrics.findLast(({ sends }) => sends.length > 0);
  if (link && link.createdAt >= (asked?.createdAt ?? '')) return isUndelivered(link);
  return asked?.status === 'Failed';
}

/**
 * What operators searched by before: messages with links did not count, and the newest run stood for all, also when it was
 * over and another went on. Histories of that time go on as they began.
 */
export type EarlierRule = 'linksDoNotCount' | 'newestRunStands';

/** What came of a transaction so far, in one word that operators search by. */
export function statusOf(state: TransactionState, earlier: readonly EarlierRule[] = []): Status {
  const { denied, phone, email, biometrics } = state.facts;
  if (denied) return 'Denied';
  if (reviewedLink(state)) return 'InReview';
  if (biometrics?.status === 'Rejected') return 'Rejected';
  if (phone ?? email ?? biometrics?.status === 'Approved') return 'Confirmed';
  const last = state.confirmations.at(-1)?.status;
  if (last === 'Blocked') return 'Blocked';
  const undeliverable = earlier.includes('linksDoNotCount') ? last === 'Failed' : isUndeliverable(state);
  return undeliverable ? 'Undeliverable' : 'Open';
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

export function attributesOf(state: TransactionState, earlier: readonly EarlierRule[] = []): Attributes {
  const status = statusOf(state, earlier);
  const { runs = [] } = state;
  const goesOn = earlier.includes('newestRunStands') ? undefined : runs.findLast(isRunning);
  const run = goesOn ?? runs.at(-1);
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

function awaited(confirmation: Confirmation): string {
  const what = confirmation.flow.kind === 'token' ? 'the code' : 'a yes or no';
  if (confirmation.sends.every((send) => send.state === 'pending')) return 'the provider to take the message';
  return `${what} until ${clock(confirmation.expiresAt)}`;
}

function line(confirmation: Confirmation): string {
  const { flow, status, sends, attemptsUsed, sendsBefore, createdAt, expiresAt, outcome } = confirmation;
  const pending = sends.filter(({ state }) => state === 'pending').length;
  const faults = sends.flatMap(({ fault }) => (fault === undefined ? [] : [fault]));
  const parts = [
    `- ${flow.asker ?? flow.name}: **${status}**${outcome ? ` (${outcome})` : ''}`,
    `${sends.length + sendsBefore - pending} of ${flow.sendLimit} sent${pending > 0 ? ` and ${pending} under way` : ''}`,
    ...(faults.length > 0 ? [`not delivered: ${faults.join(' and ')}`] : []),
    ...(flow.kind === 'token' ? [`${attemptsUsed} of ${flow.attemptLimit} tried`] : []),
    `${clock(createdAt)} to ${clock(expiresAt)}`,
  ];
  return parts.join(', ');
}

const nameOf = ({ asker = 'biometrics' }: Biometrics) => asker;

/** What a link's status does not tell: who decided and when, since when it waits, why it was canceled. */
function about({ status, createdAt, submittedAt, decision, erasedAt }: Biometrics, newer?: Biometrics): string {
  const replaced = newer !== undefined && (erasedAt === undefined || newer.createdAt <= erasedAt);
  const told = [
    ...(decision ? [`by ${decision.by} ${clockSince(createdAt, decision.at)}`] : []),
    ...(status === 'Processing' && submittedAt ? [`since ${clockSince(createdAt, submittedAt)}`] : []),
    ...(status === 'Canceled' && replaced ? ['replaced'] : []),
    ...(erasedAt ? [`images erased ${clockSince(createdAt, erasedAt)}`] : []),
  ];
  return told.length > 0 ? ` (${told.join(', ')})` : '';
}

function linkLine(link: Biometrics, newer: Biometrics | undefined): string {
  const { status, captures, sends, createdAt, expiresAt } = link;
  // Nothing is sent any more for a link that is closed.
  const sent = sends.map(
    ({ channel, state, fault }) =>
      `${channel} ${state === 'pending' && !isOpenLink(link) ? 'not sent' : state}${fault === undefined ? '' : ` (${fault})`}`,
  );
  return [
    `- ${nameOf(link)}: **${status}**${about(link, newer)}`,
    `${Object.keys(captures).length} of ${captureKinds.length} images`,
    ...(sent.length > 0 ? [`link by ${sent.join(', ')}`] : []),
    `${clock(createdAt)} to ${dated(expiresAt)}`,
  ].join(', ');
}

function awaitedOfLinks(links: readonly Biometrics[]): string[] {
  const [last] = links.slice(-1);
  if (last?.status === 'Processing')
    return [`${nameOf(last)} awaits a decision since ${dated(last.submittedAt ?? last.createdAt)}`];
  return last && isOpenLink(last) ? [`${nameOf(last)} awaits the person until ${dated(last.expiresAt)}`] : [];
}

/** Markdown for the details panel of the Temporal UI: what happened, what is awaited. No personal data. */
export function operatorPanel(state: TransactionState): string {
  const links = state.biometrics ?? [];
  const open = state.confirmations
    .filter(isOpen)
    .map((confirmation) => `${confirmation.flow.asker ?? confirmation.flow.name} awaits ${awaited(confirmation)}`)
    .concat(awaitedOfLinks(links))
    .concat((state.runs ?? []).flatMap((run) => runAwaits(run) ?? []));
  const score = state.scores.at(-1);
  const against = state.insights.filter(({ relevance }) => relevance === 'Negativo').map(({ code }) => code);
  const lines = [
    `**${statusOf(state)}**: ${open.length > 0 ? open.join('; ') : 'nothing is awaited'}.`,
    '',
    score
      ? `Score ${score.value} after ${score.reason}; values tried ${state.attemptsUsed} of ${limits.attemptsPerTransaction}.`
      : 'Not assessed yet.',
    ...(against.length > 0 ? [`Findings against it: ${against.join(', ')}.`] : []),
    `Created ${dated(state.createdAt)}, changed ${dated(state.changedAt)} (record ${state.version}). Times are UTC.`,
  ];
  // A list and not a table: the panel is low, and the newest must stand where it is seen without scrolling.
  // The frame of the panel cuts its last line off: that one says nothing.
  return [
    ...lines,
    '',
    ...(state.runs ?? []).toReversed().map(runLine),
    ...links.map((link, index) => linkLine(link, links[index + 1])).toReversed(),
    ...state.confirmations.toReversed().map(line),
    '',
    '—',
  ].join('\n');
}
