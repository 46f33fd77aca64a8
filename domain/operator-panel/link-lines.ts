import { spanOf, type FormatInstant } from './format-time';
import { decisionDueAt, type FlowRun, type PathEntry } from '../flows/run';
import { visitOfLink } from '../flows/find-run';
import type { TransactionState } from '../state';
import { type Biometrics, captureKinds, isOpenLink } from '../biometrics/biometrics';

/** A link, and the run and visit that requested it; absent when a caller did. */
interface LinkContext {
  link: Biometrics;
  run?: FlowRun;
  visit?: PathEntry;
  /** The next link. */
  newer?: Biometrics | undefined;
}

const nameOf = ({ origin = 'biometrics' }: Biometrics) => origin;

/** Whether the run ended or continued without the link, before an instant if given. Undefined while it waits for the link. */
function runLeft({ run, visit }: LinkContext, before?: string): { isOver: boolean; at: string } | undefined {
  const isBefore = (instant: string | undefined) =>
    instant !== undefined && (before === undefined || instant < before) ? instant : undefined;
  const [ended, left] = [isBefore(run?.endedAt), isBefore(visit?.leftAt)];
  if (left === undefined) return undefined;
  return ended === undefined ? { isOver: false, at: left } : { isOver: true, at: ended };
}

function endText(context: LinkContext, at: FormatInstant, before?: string): string | undefined {
  const left = runLeft(context, before);
  return left && `its run ${left.isOver ? 'ended' : 'continued'} ${at(left.at)}`;
}

/** What canceled a link, and when. Undefined when the state does not say. */
function cancelOf({
  link,
  run,
  visit,
  newer,
}: LinkContext): { by: 'run' | 'newer' | 'erasure'; at: string } | undefined {
  const { erasedAt, submittedAt } = link;
  const before = (instant: string) => erasedAt === undefined || instant < erasedAt;
  // Submitted images stay in review when their run is canceled.
  if (run?.status === 'Canceled' && visit?.leftAt !== undefined && submittedAt === undefined && before(visit.leftAt))
    return { by: 'run', at: visit.leftAt };
  if (newer && (erasedAt === undefined || newer.createdAt <= erasedAt)) return { by: 'newer', at: newer.createdAt };
  return erasedAt === undefined ? undefined : { by: 'erasure', at: erasedAt };
}

/** When a link closed. Undefined while the person or a reviewer has it, and when the state has no time for it. */
function endOf(context: LinkContext): string | undefined {
  const { status, expiresAt, decision } = context.link;
  switch (status) {
    case 'Expired':
    case 'Abandoned':
      return expiresAt;
    case 'Canceled':
      return cancelOf(context)?.at;
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

/** Since when the images wait for a decision, and until when the run waits for it. */
function sinceOf({ link, run, visit }: LinkContext, at: FormatInstant): string {
  const since = link.submittedAt ?? link.createdAt;
  const due = run && visit && visit.leftAt === undefined ? ` until ${at(decisionDueAt(run, since))}` : '';
  return `since ${at(since)}${due}`;
}

const cancelTexts = { run: ['with its run'], newer: ['replaced'], erasure: [] };

/** Details that the status does not show: who decided and when, since when it waits, why it was canceled. */
function detailsOf(context: LinkContext, at: FormatInstant): string {
  const { status, decision, erasedAt } = context.link;
  const late = decision && endText(context, at, decision.at);
  const left = status === 'Processing' ? endText(context, at) : undefined;
  const canceled = status === 'Canceled' ? cancelOf(context) : undefined;
  const details = [
    ...(decision ? [`by ${decision.by} ${at(decision.at)}`] : []),
    ...(late === undefined ? [] : [`after ${late}`]),
    ...(status === 'Processing' ? [sinceOf(context, at)] : []),
    ...(left === undefined ? [] : [left]),
    ...(canceled ? cancelTexts[canceled.by] : []),
    ...(erasedAt ? [`images erased ${at(erasedAt)}`] : []),
  ];
  return details.length > 0 ? ` (${details.join(', ')})` : '';
}

function lineOf(context: LinkContext, at: FormatInstant): string {
  const { link } = context;
  // A closed link sends nothing more.
  const sent = link.sends.map(
    ({ channel, state, failureReason }) =>
      `${channel} ${state === 'pending' && !isOpenLink(link) ? 'not sent' : state}${failureReason === undefined ? '' : ` (${failureReason})`}`,
  );
  return [
    `- ${nameOf(link)}: **${link.status}**${detailsOf(context, at)}`,
    `${Object.keys(link.captures).length} of ${captureKinds.length} images`,
    ...(sent.length > 0 ? [`link by ${sent.join(', ')}`] : []),
    spanOf(link.createdAt, isOpenLink(link) ? { due: link.expiresAt } : { was: endOf(context) }, at),
  ].join(', ');
}

const linkContexts = (state: TransactionState): LinkContext[] =>
  (state.biometrics ?? []).map((link, index, links) => ({
    link,
    ...visitOfLink(state, link),
    newer: links[index + 1],
  }));

/** One line per link, newest first. */
export const linkLines = (state: TransactionState, at: FormatInstant): string[] =>
  linkContexts(state)
    .toReversed()
    .map((context) => lineOf(context, at));

/** What the newest link waits for; undefined when it waits for nothing. */
export function linkAwaits(state: TransactionState, at: FormatInstant): string | undefined {
  const context = linkContexts(state).at(-1);
  if (!context) return undefined;
  const { link } = context;
  if (isOpenLink(link)) return `${nameOf(link)} waits for the person until ${at(link.expiresAt)}`;
  if (link.status !== 'Processing') return undefined;
  const left = runLeft(context);
  if (!left) return `${nameOf(link)} waits for a decision ${sinceOf(context, at)}`;
  const runStatus = left.isOver ? 'has ended' : 'has continued';
  return `the images of ${nameOf(link)} wait for a reviewer ${sinceOf(context, at)}, but their run ${runStatus}`;
}
