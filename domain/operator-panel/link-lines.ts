import { spanOf, type FormatInstant } from './format-time';
import { decisionDueAt, type FlowRun, type PathEntry } from '../flows/run';
import { visitOfLink } from '../flows/find-run';
import type { TransactionState } from '../state';
import { type Biometrics, captureKinds, isOpenLink } from '../biometrics/biometrics';

/** A link, and the stay of a run that asked for it; none when a caller did. */
interface LinkContext {
  link: Biometrics;
  run?: FlowRun;
  visit?: PathEntry;
  /** The link after it. */
  newer?: Biometrics | undefined;
}

const nameOf = ({ origin = 'biometrics' }: Biometrics) => origin;

/** What became of the run since it asked, before an instant where one is given; undefined while it waits for the link. */
function leftBehind({ run, visit }: LinkContext, before?: string): { isOver: boolean; at: string } | undefined {
  const isBefore = (instant: string | undefined) =>
    instant !== undefined && (before === undefined || instant < before) ? instant : undefined;
  const [ended, left] = [isBefore(run?.endedAt), isBefore(visit?.leftAt)];
  if (left === undefined) return undefined;
  return ended === undefined ? { isOver: false, at: left } : { isOver: true, at: ended };
}

function endText(asked: LinkContext, at: FormatInstant, before?: string): string | undefined {
  const left = leftBehind(asked, before);
  return left && `its run ${left.isOver ? 'ended' : 'went on'} ${at(left.at)}`;
}

/** What canceled a link, and when. Undefined where neither was kept. */
function cancelOf({
  link,
  run,
  visit,
  newer,
}: LinkContext): { by: 'run' | 'newer' | 'erasure'; at: string } | undefined {
  const { erasedAt, submittedAt } = link;
  const before = (instant: string) => erasedAt === undefined || instant < erasedAt;
  // Images that were handed in stay with the reviewer when their run is canceled.
  if (run?.status === 'Canceled' && visit?.leftAt !== undefined && submittedAt === undefined && before(visit.leftAt))
    return { by: 'run', at: visit.leftAt };
  if (newer && (erasedAt === undefined || newer.createdAt <= erasedAt)) return { by: 'newer', at: newer.createdAt };
  return erasedAt === undefined ? undefined : { by: 'erasure', at: erasedAt };
}

/** When a link was over. Undefined while somebody has it, the person or a reviewer, and where the state has not kept it. */
function endOf(asked: LinkContext): string | undefined {
  const { status, expiresAt, decision } = asked.link;
  switch (status) {
    case 'Expired':
    case 'Abandoned':
      return expiresAt;
    case 'Canceled':
      return cancelOf(asked)?.at;
    case 'Approved':
    case 'Rejected':
    case 'Inconclusive':
      return decision?.at;
    case 'Waiting':
    case 'InProgress':
    case 'Processing':
      return undefined;
    default:
      return status satisfies never;
  }
}

/** Since when images wait for a decision, and until when where a run waits for it. */
function sinceOf({ link, run, visit }: LinkContext, at: FormatInstant): string {
  const since = link.submittedAt ?? link.createdAt;
  const due = run && visit && visit.leftAt === undefined ? ` until ${at(decisionDueAt(run, since))}` : '';
  return `since ${at(since)}${due}`;
}

const cancelTexts = { run: ['with its run'], newer: ['replaced'], erasure: [] };

/** What a link's status does not tell: who decided and when, since when it waits, why it was canceled. */
function about(asked: LinkContext, at: FormatInstant): string {
  const { status, decision, erasedAt } = asked.link;
  const late = decision && endText(asked, at, decision.at);
  const left = status === 'Processing' ? endText(asked, at) : undefined;
  const canceled = status === 'Canceled' ? cancelOf(asked) : undefined;
  const told = [
    ...(decision ? [`by ${decision.by} ${at(decision.at)}`] : []),
    ...(late === undefined ? [] : [`after ${late}`]),
    ...(status === 'Processing' ? [sinceOf(asked, at)] : []),
    ...(left === undefined ? [] : [left]),
    ...(canceled ? cancelTexts[canceled.by] : []),
    ...(erasedAt ? [`images erased ${at(erasedAt)}`] : []),
  ];
  return told.length > 0 ? ` (${told.join(', ')})` : '';
}

function lineOf(asked: LinkContext, at: FormatInstant): string {
  const { link } = asked;
  // Nothing is sent any more for a link that is closed.
  const sent = link.sends.map(
    ({ channel, state, failureReason }) =>
      `${channel} ${state === 'pending' && !isOpenLink(link) ? 'not sent' : state}${failureReason === undefined ? '' : ` (${failureReason})`}`,
  );
  return [
    `- ${nameOf(link)}: **${link.status}**${about(asked, at)}`,
    `${Object.keys(link.captures).length} of ${captureKinds.length} images`,
    ...(sent.length > 0 ? [`link by ${sent.join(', ')}`] : []),
    spanOf(link.createdAt, isOpenLink(link) ? { due: link.expiresAt } : { was: endOf(asked) }, at),
  ].join(', ');
}

const linkContexts = (state: TransactionState): LinkContext[] =>
  (state.biometrics ?? []).map((link, index, links) => ({
    link,
    ...visitOfLink(state, link),
    newer: links[index + 1],
  }));

/** A line for each link, newest first, for operators. An end is told only where it is known. */
export const linkLines = (state: TransactionState, at: FormatInstant): string[] =>
  linkContexts(state)
    .toReversed()
    .map((asked) => lineOf(asked, at));

/** What the newest link waits for; undefined when that is nothing. */
export function linkAwaits(state: TransactionState, at: FormatInstant): string | undefined {
  const asked = linkContexts(state).at(-1);
  if (!asked) return undefined;
  const { link } = asked;
  if (isOpenLink(link)) return `${nameOf(link)} awaits the person until ${at(link.expiresAt)}`;
  if (link.status !== 'Processing') return undefined;
  const left = leftBehind(asked);
  if (!left) return `${nameOf(link)} awaits a decision ${sinceOf(asked, at)}`;
  const though = left.isOver ? 'is over' : 'went on';
  return `the pictures of ${nameOf(link)} wait for a reviewer ${sinceOf(asked, at)}, though their run ${though}`;
}
