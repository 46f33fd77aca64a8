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
import { BiometricsLinks } from './biometrics';
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
  const biometrics = new BiometricsLinks(live);
  const flows = new FlowRuns(live, confirmations, biometrics);
  // Before any handler runs: what is open now was carried over, what a handler begins it sees through itself.
  confirmations.resume();
  biometrics.resume();
  flows.resume();

  setHandler(contract.view, (at, language) => toView(live.state, at, language), {
    description: 'Everything a caller can read, at an instant',
  });
  registerCommands(live, { confirmations, analyses, biometrics, flows });
  const takeProgress = (progress: contract.MessageProgress) =>
    live.exclusive(async () => {
      await confirmations.progress(progress);
      await biometrics.progress(progress);
    });
  setHandler(
    contract.messageProgressed,
    (progress) => takeProgress(progress).catch((error: unknown) => logUnexpected('messageProgressed', error)),
    { description: 'Take the delivery status of a message' },
  );

  try {
    if (!live.state.evidence) await analyses.begin();
    while ((await untilIdleOrLong(live)) === 'idle') if (await savedAtRest(live)) return;
    await condition(() => atRest(live));
    await continueAsNew<typeof transaction>({ resumed: live.state });
  } catch (error) {
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => endCanceled(live, flows));
    throw error;
  }
}

const atRest = (live: LiveTransaction): boolean => allHandlersFinished() && !live.busy;

/** What an operator's cancel does before the workflow ends: it answers the handlers, cancels flow runs, and saves. */
async function endCanceled(live: LiveTransaction, flows: FlowRuns): Promise<void> {
  for (;;) {
    await live.exclusive(async () => flows.cancelAll());
    // Temporal refuses a task in which an answer follows the end.
    await condition(() => atRest(live));
    if (!live.state.runs?.some(isRunning) && (await savedAtRest(live))) return;
  }
}

/** Saves the record that a later run resumes from. False when something has happened meanwhile. */
async function savedAtRest(live: LiveTransaction): Promise<boolean> {
  const { version } = live.state;
  await live.exclusive(() => live.save());
  return live.state.version === version && atRest(live);
}

/** Waits until nothing happened for the idle period, or history is long enough for a new run. One timer, set again when it fires. */
async function untilIdleOrLong(live: LiveTransaction): Promise<'idle' | 'long'> {
  const isLong = () => workflowInfo().continueAsNewSuggested || workflowInfo().historyLength > limits.historyEvents;
  const idleInMs = () => Date.parse(live.state.changedAt) + limits.idleMs - Date.now();
  const isWaiting = () =>
    live.state.confirmations.some(isOpen) ||
    (live.state.biometrics ?? []).some(isOpenLink) ||
    (live.state.runs ?? []).some(isRunning);
  for (;;) {
    const summary = 'closes when nothing has happened for a day';
    if (idleInMs() > 0 && (await condition(isLong, idleInMs(), { summary }))) return 'long';
    await condition(() => isLong() || idleInMs() > 0 || (atRest(live) && !isWaiting()));
    if (isLong()) return 'long';
    if (idleInMs() <= 0) return 'idle';
  }
}
