import { failure } from '../../domain/failures';
import { cancelRun, runningRun } from '../../domain/flows/cancel-run';
import { earlierAnswer } from '../../domain/flows/earlier-answer';
import { runOf } from '../../domain/flows/runs';
import { startRun } from '../../domain/flows/start-run';
import { viewRun } from '../../domain/flows/view-run';
import type { TransactionState } from '../../domain/state';
import * as contract from '../../workflows/contract';
import { Refused, type Transactions } from '../transactions';
import type { Telling } from './biometrics';
import type { Judge } from './certain-refusals';
import { readState, type ReadDependencies } from './read-state';

const refusalOf = (judged: object) => ('refused' in judged ? (judged.refused as ReturnType<Judge>) : undefined);

/** What the record says of a run, where the transaction is at rest. */
const judgeRunning =
  (runId: string): Judge =>
  (state) =>
    refusalOf(runningRun(state, runId));

type Written = 'startFlow' | 'recallRun' | 'answerFlow' | 'resendFlow' | 'cancelFlow';

/** What the API tells a transaction about runs of flows. */
export function tellFlows({ tell, updateIdOf, print }: Telling): Pick<Transactions, Written> {
  return {
    startFlow: (target, plan, key) =>
      tell(target, {
        update: contract.startFlow,
        updateId: updateIdOf(target, key),
        asked: { ...plan, fingerprint: print(target, 'flow', plan.flow.name), keyed: key !== undefined },
        // A run of that id was begun by the same key, and is the answer.
        judge: (state, now) => (runOf(state, plan.runId) ? undefined : refusalOf(startRun(state, plan, now))),
      }),
    recallRun: async (target, runIds) => {
      const among = (state: TransactionState) => state.runs?.find(({ id }) => runIds.includes(id));
      try {
        return await tell(target, {
          update: contract.recallRun,
          updateId: updateIdOf(target, undefined),
          asked: { runIds, fingerprint: print(target, 'flow recall', ...runIds), keyed: false },
          judge: (state) => (among(state) ? undefined : failure('RunNotFound', 'The transaction has no such run.')),
          done: (state) => {
            const run = among(state);
            return run && viewRun(state, run);
          },
        });
      } catch (error) {
        if (error instanceof Refused && error.failure.type === 'RunNotFound') return undefined;
        throw error;
      }
    },
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
