import type { TransactionStart } from './contract/start';
import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  metricMeter,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { isOpenLink } from '../domain/biometrics/biometrics';
import { isOpen } from '../domain/confirmations/confirmation';
import { isRunning } from '../domain/flows/run';
import { limits } from '../domain/transactions/limits';
import { hasSend } from '../domain/transactions/state';
import { toView } from '../domain/transactions/views';
import { Analyses } from './scoring/analyses';
import { BiometricsLinks } from './biometrics/biometrics-links';
import { BiometricsReview } from './biometrics/biometrics-review';
import { registerCommands } from './commands';
import { Confirmations } from './confirmations/confirmations';
import * as contract from './contract/commands';
import { FlowRuns } from './flows/flow-runs';
import { logUnexpected } from './background-work';
import { LiveTransaction } from './live-transaction';

/** One transaction from start to end: it is assessed, it serves the commands of its caller, and it closes when it is idle. */
export async function transaction(start: TransactionStart): Promise<void> {
  const live = new LiveTransaction(start.state, start.savedVersion);
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
  setHandler(
    contract.versionedView,
    (at, language) => ({ view: toView(live.state, at, language), savedVersion: live.savedVersion }),
    { description: 'Everything a caller can read, and the version of the record' },
  );
  registerCommands(live, { confirmations, analyses, links, review, flows });
  /** Reports that this workflow run cannot save. The provider sends a report only once, so the next run applies them. */
  const missedReports: contract.DeliveryStatusReport[] = [];
  const applyDeliveryStatus = (report: contract.DeliveryStatusReport) =>
    live
      .runExclusive(async (at) => {
        await confirmations.applyDeliveryStatus(report, at);
        await links.applyDeliveryStatus(report);
        // If the state does not know the message, the record can be ahead.
        if (!hasSend(live.state, report.sendId)) await live.save();
      })
      .catch((error: unknown) => {
        if (live.isEnding) missedReports.push(report);
        else logUnexpected('deliveryStatusReported', error);
      });
  for (const report of start.reports ?? []) void live.keepRunningDuring(() => applyDeliveryStatus(report));
  setHandler(contract.deliveryStatusReported, applyDeliveryStatus, {
    description: 'Apply the delivery status of a message',
  });
  setHandler(
    contract.recordVersion,
    (version) =>
      live.compareWithRecord(version).catch((error: unknown) => {
        if (!live.isEnding) logUnexpected('recordVersion', error);
      }),
    { description: 'Continue from the record, if it is ahead' },
  );

  let isUpgrading = false;
  setHandler(
    contract.endForUpgrade,
    () => {
      isUpgrading = true;
    },
    { description: 'End at the next quiet moment, so that another worker version continues from the record' },
  );

  try {
    if (await runUntilIdle(live, analyses, () => isUpgrading)) return;
    // If the record is ahead, the commands that wait for other servers are answered by a repeat, so the next workflow run starts soon.
    if (live.hasFailedToSave)
      await sleep(restartAfterMs, { summary: 'continue after a change that could not be saved' });
    const canContinue = () => allHandlersFinished() && !live.isBusy;
    if (live.isEnding) await condition(canContinue, endWithinMs);
    else await condition(canContinue);
    await continueAsNew<typeof transaction>({
      state: live.state,
      savedVersion: live.savedVersion,
      ...(missedReports.length > 0 && { reports: missedReports }),
    });
  } catch (error) {
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => endCanceled(live, flows));
    throw error;
  } finally {
    // The worker reports it with its other metrics. A replay counts nothing.
    metricMeter
      .createHistogram('countersign_history', 'int', 'events', 'Events in the history of a run of a transaction')
      .record(workflowInfo().historyLength);
  }
}

/**
 * A workflow that has left the memory of its worker is loaded by a replay of its whole history, while a caller waits. 500 events take 250 ms,
 * and 4,000 take longer than a command may. The server suggests a new workflow run only at 4,096. A confirmed code takes 28 events.
 */
const historyEventsMax = 500;

/** How long a workflow run that is behind its record waits for the handlers of its commands. A message is sent within 3.5 s. */
const endWithinMs = 5_000;

/**
 * The pause before the next workflow run, if a change could not be saved. A timer whose change cannot be saved fires again at once in the next
 * workflow run, and without a pause the runs would follow each other for ever.
 */
const restartAfterMs = 5_000;

/**
 * Assesses the transaction, and serves its commands. Returns true when the workflow can close, because the transaction is idle, or because
 * another worker version is to continue it. Returns false when the next workflow run of this version must continue it.
 */
async function runUntilIdle(live: LiveTransaction, analyses: Analyses, isUpgrading: () => boolean): Promise<boolean> {
  try {
    if (!live.state.evidence) await Promise.race([analyses.assess(), condition(() => live.isEnding)]);
    while ((await waitUntilIdleOrLong(live, isUpgrading)) === 'idle') if (await saveFinalRecord(live)) return true;
  } catch (error) {
    if (isCancellation(error) || !live.isEnding) throw error;
  }
  return false;
}

/**
 * Waits until nothing has changed for the time `limits.idleMs`, or until nothing is in progress and the workflow must end for an upgrade
 * (`idle`). Or until a new workflow run must start (`long`): its history is long, or the record is ahead of this workflow run. What is open has a timer of its own, so there is no other timer before everything is closed. If the state has changed
 * when the timer fires, the timer is set again. A new timer for each change would make the history long.
 */
async function waitUntilIdleOrLong(live: LiveTransaction, isUpgrading: () => boolean): Promise<'idle' | 'long'> {
  // The server also suggests a new workflow run when the history has 4 MB.
  const isLong = () => {
    const { historyLength, continueAsNewSuggested } = workflowInfo();
    return historyLength >= historyEventsMax || continueAsNewSuggested || live.isEnding;
  };
  const canUpgrade = () => isUpgrading() && hasNoWork(live);
  const msUntilIdle = () => Date.parse(live.state.changedAt) + limits.idleMs - Date.now();
  const hasOpenItems = () =>
    live.state.confirmations.some(isOpen) ||
    (live.state.biometrics ?? []).some(isOpenLink) ||
    (live.state.runs ?? []).some(isRunning);
  const summary = 'close the transaction after ten minutes without changes';
  for (;;) {
    if (isLong()) return 'long';
    if (canUpgrade()) return 'idle';
    if (hasOpenItems()) await condition(() => isLong() || canUpgrade() || !hasOpenItems());
    else if (msUntilIdle() > 0)
      await condition(() => isLong() || canUpgrade() || hasOpenItems(), msUntilIdle(), { summary });
    else if (hasNoWork(live)) return 'idle';
    else await condition(() => isLong() || hasNoWork(live) || hasOpenItems() || msUntilIdle() > 0);
  }
}

/**
 * Saves the record from which the transaction can be resumed, with the remembered responses. False if the state has changed meanwhile, or if
 * work is in progress.
 */
async function saveFinalRecord(live: LiveTransaction): Promise<boolean> {
  const version = await live.runExclusive(async () => {
    await live.save();
    return live.state.version;
  });
  return live.state.version === version && hasNoWork(live);
}

/** Whether no command is in progress, and no other work that must finish before the workflow ends. */
const hasNoWork = (live: LiveTransaction): boolean =>
  allHandlersFinished() && !live.isBusy && !live.background.keepsOpen;

/**
 * Ends a workflow that an operator canceled: cancels the flow runs, answers the callers that wait, and saves the record. If the record is
 * ahead of the workflow, the record stays as it is.
 */
async function endCanceled(live: LiveTransaction, flows: FlowRuns): Promise<void> {
  await cancelAndSave(live, flows).catch((error: unknown) => {
    if (!live.isEnding) throw error;
  });
}

async function cancelAndSave(live: LiveTransaction, flows: FlowRuns): Promise<void> {
  // A flow run can start while other callers still wait.
  const hasRuns = () => live.state.runs?.some(isRunning) === true;
  for (;;) {
    await live.runExclusive(async (at) => flows.cancelAll(at));
    // First, all updates must be answered. Temporal rejects a workflow task that answers an update after the workflow has ended.
    await condition(() => hasNoWork(live) || hasRuns());
    if (hasRuns()) continue;
    if (await saveFinalRecord(live)) return;
  }
}
