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

/** The life of one transaction: it is assessed, confirmed as often as its caller asks, and closes when it is idle. */
export async function transaction(start: contract.TransactionStart): Promise<void> {
  const live = new LiveTransaction('createdFrom' in start ? newState(start.createdFrom) : start.resumed);
  const confirmations = new Confirmations(live);
  const analyses = new Analyses(live);
  const review = new BiometricsReview(live);
  const links = new BiometricsLinks(live, review);
  const flows = new FlowRuns(live, confirmations, links);
  // Before any handler runs: a handler starts the timers of what it opens itself.
  confirmations.resume();
  links.resume();
  review.resume();
  flows.resume();

  setHandler(contract.view, (at, language) => toView(live.state, at, language), {
    description: 'Everything a caller can read, at a given time',
  });
  registerCommands(live, { confirmations, analyses, links, review, flows });
  const applyDeliveryStatus = (progress: contract.MessageProgress) =>
    live.exclusive(async () => {
      await confirmations.applyDeliveryStatus(progress);
      await links.applyDeliveryStatus(progress);
    });
  setHandler(
    contract.messageProgressed,
    (progress) => applyDeliveryStatus(progress).catch((error: unknown) => logUnexpected('messageProgressed', error)),
    { description: 'Apply the delivery status of a message' },
  );

  try {
    if (!live.state.evidence) await analyses.assess();
    while ((await untilIdleOrLong(live)) === 'idle') if (await saveAtRest(live)) return;
    await condition(() => isAtRest(live));
    await continueAsNew<typeof transaction>({ resumed: live.state });
  } catch (error) {
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => endCanceled(live, flows));
    throw error;
  }
}

/**
 * Waits until nothing has happened for the idle period, or until history is long enough for a new run. Uses one timer, which is set
 * again when it fires early: a timer per change would make history grow.
 */
async function untilIdleOrLong(live: LiveTransaction): Promise<'idle' | 'long'> {
  const isLong = () => workflowInfo().continueAsNewSuggested || workflowInfo().historyLength > limits.historyEvents;
  const idleInMs = () => Date.parse(live.state.changedAt) + limits.idleMs - Date.now();
  const isAwaited = () =>
    live.state.confirmations.some(isOpen) ||
    (live.state.biometrics ?? []).some(isOpenLink) ||
    (live.state.runs ?? []).some(isRunning);
  for (;;) {
    const summary = 'close the transaction after a day without changes';
    if (idleInMs() > 0 && (await condition(isLong, idleInMs(), { summary }))) return 'long';
    await condition(() => isLong() || idleInMs() > 0 || (isAtRest(live) && !isAwaited()));
    if (isLong()) return 'long';
    if (idleInMs() <= 0) return 'idle';
  }
}

/** Saves the record that the transaction resumes from. False if something has happened meanwhile. */
async function saveAtRest(live: LiveTransaction): Promise<boolean> {
  const { version } = live.state;
  await live.exclusive(() => live.save());
  return live.state.version === version && isAtRest(live);
}

const isAtRest = (live: LiveTransaction): boolean => allHandlersFinished() && !live.busy;

/** An operator canceled the workflow: answers the callers that wait, cancels the flow runs, and saves. */
async function endCanceled(live: LiveTransaction, flows: FlowRuns): Promise<void> {
  // A run can start while other callers still wait.
  const hasRuns = () => live.state.runs?.some(isRunning) === true;
  for (;;) {
    await live.exclusive(async () => flows.cancelAll());
    // Temporal rejects a task that answers an update after the end of the workflow.
    await condition(() => isAtRest(live) || hasRuns());
    if (hasRuns()) continue;
    await live.exclusive(() => live.saveAnswers());
    if (await saveAtRest(live)) return;
  }
}
