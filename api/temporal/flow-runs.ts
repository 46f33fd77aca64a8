import { cancelRun, runningRun } from '../../domain/flows/cancel-run';
import { earlierAnswer } from '../../domain/flows/earlier-answer';
import { startRun } from '../../domain/flows/start-run';
import { viewRun } from '../../domain/flows/view-run';
import * as contract from '../../workflows/contract';
import type { Transactions } from '../transactions';
import type { Telling } from './biometrics';
import type { Judge } from './certain-refusals';
import { readState, type ReadDependencies } from './read-state';

const refusalOf = (judged: object) => ('refused' in judged ? (judged.refused as ReturnType<Judge>) : undefined);

/** What the record says of a run, where the transaction is at rest. */
const judgeRunning =
  (runId: string): Judge =>
  (state) =>
    refusalOf(runningRun(state, runId));

type Written = 'startFlow' | 'answerFlow' | 'resendFlow' | 'cancelFlow';

/** What the API tells a transaction about runs of flows. */
export function tellFlows({ tell, updateIdOf, print }: Telling): Pick<Transactions, Written> {
  return {
    startFlow: (target, plan, key) =>
      tell(target, {
        update: contract.startFlow,
        updateId: updateIdOf(target, key),
        asked: { ...plan, fingerprint: print(target, 'flow', plan.flow.name), keyed: key !== undefined },
        judge: (state, now) => refusalOf(startRun(state, plan, now)),
      }),
    answerFlow: (target, asked, key) => {
      const said = print(target, 'flow answer', asked.runId, JSON.stringify(asked.digests));
      return tell(target, {
        update: contract.answerFlow,
        updateId: updateIdOf(target, key),
        asked: { ...asked, fingerprint: said, keyed: key !== undefined },
        judge: (state, now) =>
          earlierAnswer(state, asked.runId, asked.digests, now) ?? judgeRunning(asked.runId)(state, now),
      });
    },
    resendFlow: (target, runId, key) =>
      tell(target, {
        update: contract.resendFlow,
        updateId: updateIdOf(target, key),
        asked: { runId, fingerprint: print(target, 'flow resend', runId), keyed: key !== undefined },
        judge: judgeRunning(runId),
      }),
    cancelFlow: (target, runId, key) =>
      tell(target, {
        update: contract.cancelFlow,
        updateId: updateIdOf(target, key),
        asked: { runId, fingerprint: print(target, 'flow cancel', runId), keyed: key !== undefined },
        judge: (state, now) => refusalOf(cancelRun(state, runId, now)),
      }),
  };
}

/** What the API reads of runs. */
export function readFlows(parts: ReadDependencies): Pick<Transactions, 'readRuns'> {
  return {
    readRuns: async (target) => {
      const { state, source } = await readState(parts, target);
      return { runs: (state.runs ?? []).map((run) => viewRun(state, run)), source };
    },
  };
}
