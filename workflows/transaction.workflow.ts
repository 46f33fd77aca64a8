import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { isOpenLink } from '../domain/biometrics/biometrics';
import { isOpen } from '../domain/confirmation';
import { isRunning } from '../domain/flows/run';
import { limits } from '../domain/limits';
import { newState } from '../domain/state';
import { toView } from '../domain/views';
import { Analyses } from './analyses';
import { BiometricsLinks } from './biometrics-links';
import { BiometricsReview } from './biometrics-review';
import { registerCommands } from './commands';
import { Confirmations } from './confirmations';
import * as contract from './contract';
import { FlowRuns } from './flow-runs';
import { LiveTransaction, logUnexpected } from './live-transaction';

/** One transaction from start to end: it is assessed, it serves the commands of its caller, and it closes when it is idle. */
export async function transaction(start: contract.TransactionStart): Promise<void> {
  const live = new LiveTransaction('createdFrom' in start ? newState(start.createdFrom) : start.resumed);
  const confirmations = new Confirmations(live);
  const analyses = new Analyses(live);
  const review = new BiometricsReview(live);
  const links = new BiometricsLinks(live, review);
  const flows = new FlowRuns(live, confirmations, links);
  // Timers are resumed before any handler runs. So only the timers of earlier workflow runs are resumed. A handler that opens a
  // confirmation or a link starts the new timer itself.
  confirmations.resume();
  links.resume();
  review.resume();
  flows.resume();

  setHandler(contract.view, (at, language) => toView(live.state, at, language), {
    description: 'Everything a caller can read, at a given time',
  });
  registerCommands(live, { confirmations, analyses, links, review, flows });
  const applyDeliveryStatus = (report: contract.DeliveryStatusReport) =>
    live.runExclusive(async (at) => {
      await confirmations.applyDeliveryStatus(report, at);
      await links.applyDeliveryStatus(report);
    });
  setHandler(
    contract.deliveryStatusReported,
    (report) => applyDeliveryStatus(report).catch((error: unknown) => logUnexpected('deliveryStatusReported', error)),
    { description: 'Apply the delivery status of a message' },
  );

  try {
    if (!live.state.evidence) await analyses.assess();
    while ((await waitUntilIdleOrLong(live)) === 'idle') if (await saveFinalRecord(live)) return;
    await condition(() => hasNoWork(live));
    await continueAsNew<typeof transaction>({ resumed: live.state });
  } catch (error) {
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => endCanceled(live, flows));
    throw error;
  }
}

/**
 * Waits until nothing has changed for the time `limits.idleMs`, or until the server suggests a new workflow run because the history is
 * long. Uses only one timer. If the state has changed when the timer fires, the timer is set again. A new timer for each change would make
 * the history long.
 */
async function waitUntilIdleOrLong(live: LiveTransaction): Promise<'idle' | 'long'> {
  const isLong = () => workflowInfo().continueAsNewSuggested;
  const msUntilIdle = () => Date.parse(live.state.changedAt) + limits.idleMs - Date.now();
  const hasOpenItems = () =>
    live.state.confirmations.some(isOpen) ||
    (live.state.biometrics ?? []).some(isOpenLink) ||
    (live.state.runs ?? []).some(isRunning);
  for (;;) {
    const summary = 'close the transaction after a day without changes';
    if (msUntilIdle() > 0 && (await condition(isLong, msUntilIdle(), { summary }))) return 'long';
    await condition(() => isLong() || msUntilIdle() > 0 || (hasNoWork(live) && !hasOpenItems()));
    if (isLong()) return 'long';
    if (msUntilIdle() <= 0) return 'idle';
  }
}

/** Saves the record from which the transaction can be resumed. False if the state has changed meanwhile, or if work is in progress. */
async function saveFinalRecord(live: LiveTransaction): Promise<boolean> {
  const { version } = live.state;
  await live.runExclusive(() => live.save());
  return live.state.version === version && hasNoWork(live);
}

/** Whether no command is in progress, and no other work that must finish before the workflow ends. */
const hasNoWork = (live: LiveTransaction): boolean => allHandlersFinished() && !live.isBusy;

/** Ends a workflow that an operator canceled: cancels the flow runs, answers the callers that wait, and saves the record. */
async function endCanceled(live: LiveTransaction, flows: FlowRuns): Promise<void> {
  // A flow run can start while other callers still wait.
  const hasRuns = () => live.state.runs?.some(isRunning) === true;
  for (;;) {
    await live.runExclusive(async (at) => flows.cancelAll(at));
    // First, all updates must be answered. Temporal rejects a workflow task that answers an update after the workflow has ended.
    await condition(() => hasNoWork(live) || hasRuns());
    if (hasRuns()) continue;
    await live.runExclusive(() => live.saveResponses());
    if (await saveFinalRecord(live)) return;
  }
}
