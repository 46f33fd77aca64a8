import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  currentUpdateInfo,
  isCancellation,
  patched,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { isOpenLink } from '../domain/biometrics/biometrics';
import { isOpen } from '../domain/confirmation';
import { isRunning } from '../domain/flows/run';
import { limits } from '../domain/limits';
import { analysedAt } from '../domain/scoring/analyses';
import { newState } from '../domain/state';
import { toView } from '../domain/views';
import { Analyses } from './analyses';
import { Answers } from './answers';
import { BiometricsLinks } from './biometrics';
import { Confirmations } from './confirmations';
import * as contract from './contract';
import { FlowRuns } from './flow-runs';
import { Life } from './life';

/** The life of one transaction: it is assessed, confirmed as often as its caller asks, and sleeps when nothing happens. */
export async function transaction(start: contract.TransactionStart): Promise<void> {
  const begun = 'born' in start ? newState(start.born) : start.resumed;
  const life = new Life(begun);
  const answers = new Answers(life);
  const confirmations = new Confirmations(life);
  const analyses = new Analyses(life);
  const biometrics = new BiometricsLinks(life);
  const flows = new FlowRuns(life, confirmations, biometrics);
  // Before any handler runs: what is pending now was carried over, what a handler begins it sees through itself.
  confirmations.resume();
  biometrics.resume();
  flows.resume();

  setHandler(contract.view, (at) => toView(life.state, at), {
    description: 'Everything a caller can read, at an instant',
  });
  setHandler(contract.requestConfirmation, (asked) => answers.once(asked, () => confirmations.request(asked)), {
    description: 'Ask the person for a confirmation',
    validator: (asked) => {
      if (!answers.repeated()) confirmations.checkRequest(asked);
    },
  });
  setHandler(
    contract.answerConfirmation,
    (tried) => answers.once(tried, () => confirmations.answer(tried, guessId())),
    {
      description: 'Try a value on a token',
      validator: (tried) => {
        if (!answers.repeated()) confirmations.checkAnswer(tried);
      },
    },
  );
  setHandler(contract.replyToConfirmation, (said) => answers.once(said, () => confirmations.reply(said)), {
    description: 'Take the reply of the person',
    validator: (said) => {
      if (!answers.repeated()) confirmations.checkReply(said);
    },
  });
  const analyse = async (asked: contract.AnalysisAsked & contract.Fingerprinted) => {
    const { fingerprint, answer } = await answers.once(asked, () => analyses.analyse(asked), 'look');
    return { fingerprint, answer: analysedAt(life.state, answer) };
  };
  setHandler(contract.analyse, analyse, {
    description: 'Look at the transaction anew',
    validator: (asked) => {
      if (!answers.repeated()) analyses.check(asked);
    },
  });
  setHandler(contract.requestBiometrics, (asked) => answers.once(asked, () => biometrics.request(asked)), {
    description: 'Make a biometrics link',
    validator: (asked) => {
      if (!answers.repeated()) biometrics.checkRequest(asked);
    },
  });
  setHandler(contract.takeBiometricsStep, (step) => answers.once(step, () => biometrics.step(step)), {
    description: 'Take a step of the person on the page',
    validator: (step) => {
      if (!answers.repeated()) biometrics.checkStep(step);
    },
  });
  setHandler(contract.decideBiometrics, (decided) => answers.once(decided, () => biometrics.decide(decided)), {
    description: 'Take the decision on the images',
    validator: (decided) => {
      if (!answers.repeated()) biometrics.checkDecision(decided);
    },
  });
  setHandler(contract.eraseBiometrics, (asked) => answers.once(asked, () => biometrics.erase(asked)), {
    description: 'Erase all images',
    validator: (_asked) => {
      if (!answers.repeated()) biometrics.checkErasure();
    },
  });
  setHandler(contract.startFlow, (plan) => answers.once(plan, () => flows.start(plan)), {
    description: 'Begin a run of a flow',
    validator: (plan) => {
      if (!answers.repeated()) flows.checkStart(plan);
    },
  });
  setHandler(contract.recallRun, (asked) => answers.once(asked, () => flows.recall(asked)), {
    description: 'Tell of the run that a key has begun',
    validator: (asked) => flows.checkRecall(asked),
  });
  setHandler(contract.answerFlow, (tried) => answers.once(tried, () => flows.answer(tried, guessId())), {
    description: 'Try a value on the code that a run waits for',
    validator: (tried) => {
      if (!answers.repeated()) flows.checkAnswer(tried);
    },
  });
  setHandler(contract.resendFlow, (told) => answers.once(told, () => flows.resend(told)), {
    description: 'Send the message of a run once more',
    validator: (told) => {
      if (!answers.repeated()) flows.checkResend(told);
    },
  });
  setHandler(contract.cancelFlow, (told) => answers.once(told, () => flows.cancel(told)), {
    description: 'End a run where it is',
    validator: (told) => {
      if (!answers.repeated()) flows.checkCancel(told);
    },
  });
  const progress = async (told: contract.MessageProgress) => {
    await confirmations.progress(told);
    await biometrics.progress(told);
  };
  setHandler(contract.messageProgressed, progress, { description: 'Take the word of a provider on a message' });

  const busy = () => confirmations.busy || biometrics.busy || flows.busy;
  try {
    if (!life.state.evidence) await analyses.begin();
    while ((await untilIdleOrLong(life, busy)) === 'idle') {
      // It wakes from its record, which must not be one that a dead worker left.
      if (!patched('record-kept-before-sleep') || (await keptAtRest(life, busy))) return;
    }
    await condition(() => allHandlersFinished() && !busy());
    await continueAsNew<typeof transaction>({ resumed: life.state });
  } catch (error) {
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => canceled(life, flows, busy));
    throw error;
  }
}

/** What an operator's cancel does before the workflow ends, by the code that wrote the history: some were canceled before it did anything. */
async function canceled(life: Life, flows: FlowRuns, busy: () => boolean): Promise<void> {
  if (patched('cancel-waits-for-handlers')) {
    for (;;) {
      const ended = flows.end();
      // Temporal refuses a task in which an answer follows the end.
      await condition(() => allHandlersFinished() && !busy());
      if (!ended && (await keptAtRest(life, busy))) return;
    }
  } else if (patched('cancel-ends-runs')) {
    if (flows.end()) await life.save();
  }
}

/** Keeps the record. False when something has happened meanwhile. */
async function keptAtRest(life: Life, busy: () => boolean): Promise<boolean> {
  const { state } = life;
  await life.save();
  return life.state === state && allHandlersFinished() && !busy();
}

/** A guess is charged once, however often its update is delivered. */
function guessId(): string {
  return currentUpdateInfo()?.id ?? workflowInfo().runId;
}

/** Waits until nothing happened for the idle period, or history grew long enough for a new run. One timer, set anew when it fires. */
async function untilIdleOrLong(life: Life, busy: () => boolean): Promise<'idle' | 'long'> {
  const long = () => workflowInfo().continueAsNewSuggested || workflowInfo().historyLength > limits.historyEvents;
  const idleInMs = () => Date.parse(life.state.changedAt) + limits.idleMs - Date.now();
  const awaiting = () =>
    life.state.confirmations.some(isOpen) ||
    (life.state.biometrics ?? []).some(isOpenLink) ||
    (life.state.runs ?? []).some(isRunning);
  const resting = () => allHandlersFinished() && !busy() && !awaiting();
  for (;;) {
    const summary = 'sleeps when nothing has happened for a day';
    if (idleInMs() > 0 && (await condition(long, idleInMs(), { summary }))) return 'long';
    await condition(() => long() || idleInMs() > 0 || resting());
    if (long()) return 'long';
    if (idleInMs() <= 0) return 'idle';
  }
}
