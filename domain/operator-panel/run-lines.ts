import {
  currentStepName,
  decisionDueAt,
  type FlowRun,
  givesUpAt,
  isRunning,
  originOf,
  type PathEntry,
} from '../flows/run';
import { visitOfLink } from '../flows/runs';
import type { TransactionState } from '../transactions/state';
import { type Biometrics, captureKinds, isOpenLink } from '../biometrics/biometrics';

/** The time of day in UTC, such as 19:50:00. */
export const timeOfDay = (instant: string) => instant.slice(11, 19);

/** Date and time, such as 2026-03-31 19:50:00. */
export const dateAndTime = (instant: string) => `${instant.slice(0, 10)} ${timeOfDay(instant)}`;

/** The time of day, with the date if it differs from the date of `start`. */
export const timeOrDateAndTime = (start: string, instant: string) =>
  start.slice(0, 10) === instant.slice(0, 10) ? timeOfDay(instant) : dateAndTime(instant);

/** Formats an instant as text. All instants of one panel use the same function. */
export type FormatInstant = (instant: string) => string;

/**
 * A time span as text. `due`: the end, if it is in the future. `was`: the end, if it is in the past. `was` is undefined if the end is not
 * known.
 */
export function formatSpan(
  start: string,
  end: { due: string } | { was: string | undefined },
  format: FormatInstant,
): string {
  if ('due' in end) return `${format(start)} until ${format(end.due)}`;
  return end.was === undefined ? `from ${format(start)}` : `${format(start)} to ${format(end.was)}`;
}

/** The line about one flow run: its steps with times and exits, and when it ended. */
export function runLine({ id, flow, version, status, outcome, path, endedAt }: FlowRun, format: FormatInstant): string {
  const visits = path.map(({ step, enteredAt, exit, reason }) => {
    const why = reason === undefined ? '' : ` (${reason})`;
    return `${step} ${format(enteredAt)}${exit === undefined ? '' : `, ${exit}${why}`}`;
  });
  // A completed flow run ended when it entered its last step, and the line already shows that time.
  const end = status === 'Canceled' && endedAt !== undefined ? ` ${format(endedAt)}` : '';
  return `- flow ${flow} ${version}: **${outcome ?? status}**, ${visits.join(' → ')}${end}, run ${id}`;
}

/** The text about what a flow run waits for, if it waits for a time or for the caller's webhook. Undefined in all other cases. */
export function runWaitText(run: FlowRun, format: FormatInstant): string | undefined {
  if (!isRunning(run)) return undefined;
  const { awaiting, plan } = run;
  const origin = originOf(run);
  const step = plan.flow.steps[currentStepName(run)];
  if (step?.kind === 'notify') {
    const until = format(givesUpAt(run, step));
    return `${origin} notifies the caller of ${step.event}, retries until ${until}`;
  }
  if (!awaiting || !('until' in awaiting)) return undefined;
  const until = format(awaiting.until);
  if (step?.kind === 'wait') return `${origin} waits until ${until}`;
  // The machine was busy, or no thread has started.
  if (step?.kind === 'decide') return `${origin} could not decide yet, tries again at ${until}`;
  return `${origin} pauses between messages until ${until}`;
}

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
