import { formatSpan, type FormatInstant } from './format-time';
import { decisionDueAt, type FlowRun, type PathEntry } from '../flows/run';
import { visitOfLink } from '../flows/find-run';
import type { TransactionState } from '../state';
import { type Biometrics, captureKinds, isOpenLink } from '../biometrics/biometrics';

/** A link, with the flow run and the visit that requested the link. Both are absent if a caller requested it. */
interface LinkContext {
  link: Biometrics;
  run?: FlowRun;
  visit?: PathEntry;
  /** The link that was created next. */
  newer?: Biometrics | undefined;
}

const nameOf = ({ origin = 'biometrics' }: Biometrics) => origin;

/**
 * When a flow run left the step of its link, and whether the flow run has ended. Undefined if the flow run still waits for the link. If
 * `before` is given, changes at this time or later are ignored.
 */
function runDepartureOf({ run, visit }: LinkContext, before?: string): { isOver: boolean; at: string } | undefined {
  const instantBefore = (instant: string | undefined) =>
    instant !== undefined && (before === undefined || instant < before) ? instant : undefined;
  const [endedAt, leftAt] = [instantBefore(run?.endedAt), instantBefore(visit?.leftAt)];
  if (leftAt === undefined) return undefined;
  return endedAt === undefined ? { isOver: false, at: leftAt } : { isOver: true, at: endedAt };
}

function runDepartureText(context: LinkContext, format: FormatInstant, before?: string): string | undefined {
  const departure = runDepartureOf(context, before);
  return departure && `its run ${departure.isOver ? 'ended' : 'continued'} ${format(departure.at)}`;
}

/** What canceled a link, and when: the end of its flow run, a newer link or an erasure. Undefined if the state does not show it. */
function cancellationOf({
  link,
  run,
  visit,
  newer,
}: LinkContext): { by: 'run' | 'newer' | 'erasure'; at: string } | undefined {
  const { erasedAt, submittedAt } = link;
  const isBeforeErasure = (instant: string) => erasedAt === undefined || instant < erasedAt;
  // Submitted images stay in review if their flow run is canceled.
  if (
    run?.status === 'Canceled' &&
    visit?.leftAt !== undefined &&
    submittedAt === undefined &&
    isBeforeErasure(visit.leftAt)
  )
    return { by: 'run', at: visit.leftAt };
  if (newer && (erasedAt === undefined || newer.createdAt <= erasedAt)) return { by: 'newer', at: newer.createdAt };
  return erasedAt === undefined ? undefined : { by: 'erasure', at: erasedAt };
}

/** When a link closed. Undefined if it still waits for the person or a reviewer, or if the state does not show the time. */
function endOf(context: LinkContext): string | undefined {
  const { status, expiresAt, decision } = context.link;
  switch (status) {
    case 'Expired':
    case 'Abandoned':
      return expiresAt;
    case 'Canceled':
      return cancellationOf(context)?.at;
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

/** Since when the images wait for a decision, and until when the flow run waits for the decision. */
function waitingSinceText({ link, run, visit }: LinkContext, format: FormatInstant): string {
  const since = link.submittedAt ?? link.createdAt;
  const untilText = run && visit && visit.leftAt === undefined ? ` until ${format(decisionDueAt(run, since))}` : '';
  return `since ${format(since)}${untilText}`;
}

/** What canceled a link, as text. Empty for an erasure, because `detailsOf` already says that the images were erased. */
const cancelTexts = { run: ['with its run'], newer: ['replaced'], erasure: [] };

/** Details that the status does not show: who decided and when, since when the images wait, and why the link was canceled. */
function detailsOf(context: LinkContext, format: FormatInstant): string {
  const { status, decision, erasedAt } = context.link;
  const lateDecisionText = decision && runDepartureText(context, format, decision.at);
  const departureText = status === 'Processing' ? runDepartureText(context, format) : undefined;
  const canceled = status === 'Canceled' ? cancellationOf(context) : undefined;
  const details = [
    ...(decision ? [`by ${decision.by} ${format(decision.at)}`] : []),
    ...(lateDecisionText === undefined ? [] : [`after ${lateDecisionText}`]),
    ...(status === 'Processing' ? [waitingSinceText(context, format)] : []),
    ...(departureText === undefined ? [] : [departureText]),
    ...(canceled ? cancelTexts[canceled.by] : []),
    ...(erasedAt ? [`images erased ${format(erasedAt)}`] : []),
  ];
  return details.length > 0 ? ` (${details.join(', ')})` : '';
}

function lineOf(context: LinkContext, format: FormatInstant): string {
  const { link } = context;
  // A closed link sends no more messages, so a pending message was not sent.
  const sendTexts = link.sends.map(
    ({ channel, state, failureReason }) =>
      `${channel} ${state === 'pending' && !isOpenLink(link) ? 'not sent' : state}${failureReason === undefined ? '' : ` (${failureReason})`}`,
  );
  return [
    `- ${nameOf(link)}: **${link.status}**${detailsOf(context, format)}`,
    ...(link.erasedAt ? [] : [`${Object.keys(link.captures).length} of ${captureKinds.length} images`]),
    ...(sendTexts.length > 0 ? [`link by ${sendTexts.join(', ')}`] : []),
    formatSpan(link.createdAt, isOpenLink(link) ? { due: link.expiresAt } : { was: endOf(context) }, format),
  ].join(', ');
}

const linkContexts = (state: TransactionState): LinkContext[] =>
  (state.biometrics ?? []).map((link, index, links) => ({
    link,
    ...visitOfLink(state, link),
    newer: links[index + 1],
  }));

/** One line per link, newest first. */
export const linkLines = (state: TransactionState, format: FormatInstant): string[] =>
  linkContexts(state)
    .toReversed()
    .map((context) => lineOf(context, format));

/** The text about what the newest link waits for. Undefined if it waits for nothing. */
export function linkWaitText(state: TransactionState, format: FormatInstant): string | undefined {
  const context = linkContexts(state).at(-1);
  if (!context) return undefined;
  const { link } = context;
  if (isOpenLink(link)) return `${nameOf(link)} waits for the person until ${format(link.expiresAt)}`;
  if (link.status !== 'Processing') return undefined;
  const departure = runDepartureOf(context);
  if (!departure) return `${nameOf(link)} waits for a decision ${waitingSinceText(context, format)}`;
  const runStatus = departure.isOver ? 'has ended' : 'has continued';
  return `the images of ${nameOf(link)} wait for a reviewer ${waitingSinceText(context, format)}, but their run ${runStatus}`;
}
