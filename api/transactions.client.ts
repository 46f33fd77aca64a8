import { randomUUID } from 'node:crypto';
import { Client, type Connection, WorkflowNotFoundError } from '@temporalio/client';
import { toPersonsPage } from '../domain/persons-page';
import { type AnalysisMark, analysedAt, analysisOf } from '../domain/scoring/analyses';
import { explain } from '../domain/scoring/explain';
import { cardMissing, hasCard, judgeAnalysis } from '../domain/scoring/judge-analysis';
import type { TransactionState } from '../domain/state';
import { toView } from '../domain/views';
import { fingerprint } from '../platform/codes';
import type { Keys } from '../platform/keys';
import * as contract from '../workflows/contract';
import type { Reader } from './reader';
import { readBiometrics, tellBiometrics } from './temporal/biometrics';
import { readFlows, tellFlows } from './temporal/flow-runs';
import { judgeAnswer, judgeReply, judgeRequest } from './temporal/certain-refusals';
import { asProblem, deadlines, within } from './temporal/deadline';
import { openedBefore, openTransaction } from './temporal/open-transaction';
import { readState } from './temporal/read-state';
import { tellTransaction, type Told } from './temporal/tell-transaction';
import { Turnstile } from './temporal/turnstile';
import { Refused, type Target, type Transactions } from './transactions';

export interface TransactionsOptions {
  connection: Connection;
  namespace: string;
  taskQueue: string;
  keys: Keys;
  reader: Reader;
}

/** Transactions as Temporal runs them. This and `temporal/` are all of the API that knows Temporal. */
export function createTransactions({ namespace, ...options }: TransactionsOptions): Transactions {
  const { connection, keys } = options;
  // A closed workflow is not asked: its worker would have to replay it, and the record has the same.
  const client = new Client({ connection, namespace });
  const parts = { ...options, client, turnstile: new Turnstile() };

  const updateIdOf = ({ tenant, id }: Target, key: string | undefined) =>
    key === undefined ? randomUUID() : fingerprint(keys, 'update', tenant, id, key);
  const print = ({ tenant, id }: Target, ...words: string[]) => fingerprint(keys, tenant, id, ...words);
  const tell = <Answer, Asked extends contract.Fingerprinted>(target: Target, told: Told<Answer, Asked>) =>
    tellTransaction(parts, target, told);

  return {
    open: (tenant, opening, key) => openTransaction(parts, tenant, opening, key),
    openedBefore: (tenant, opening, key) => openedBefore(parts, tenant, opening, key),
    requestConfirmation: (target, proposal, key) => {
      const asked = {
        ...proposal,
        fingerprint: print(target, 'request', proposal.flow.name),
        keyed: key !== undefined,
      };
      const judge = judgeRequest(proposal);
      return tell(target, { update: contract.requestConfirmation, updateId: updateIdOf(target, key), asked, judge });
    },
    answerConfirmation: (target, tried, key) => {
      const asked = {
        ...tried,
        fingerprint: print(target, 'answer', tried.flow, tried.digest),
        keyed: key !== undefined,
      };
      const judge = judgeAnswer(tried);
      return tell(target, { update: contract.answerConfirmation, updateId: updateIdOf(target, key), asked, judge });
    },
    replyToConfirmation: (target, said, key) => {
      const asked = {
        ...said,
        fingerprint: print(target, 'reply', said.confirmationId, JSON.stringify(said.reply)),
        keyed: key !== undefined,
      };
      const judge = judgeReply(said);
      return tell(target, { update: contract.replyToConfirmation, updateId: updateIdOf(target, key), asked, judge });
    },
    messageProgressed: async ({ tenant, id }, progress) => {
      const handle = client.workflow.getHandle(contract.transactionWorkflowId(tenant, id));
      try {
        await within(connection, deadlines.signalMs, () => handle.signal(contract.messageProgressed, progress));
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw asProblem(error);
      }
    },
    analyse: (target, { analysis }, key) => {
      const asked = { analysis, fingerprint: print(target, 'analyse', analysis), keyed: key !== undefined };
      const judge = (state: TransactionState) => judgeAnalysis(state, analysis);
      const recall = (state: TransactionState, kept: unknown) => analysedAt(state, kept as AnalysisMark);
      return tell(target, { update: contract.analyse, updateId: updateIdOf(target, key), asked, judge, recall });
    },
    ...tellFlows({ tell, updateIdOf, print }),
    ...readFlows(parts),
    ...tellBiometrics({ tell, updateIdOf, print }),
    ...readBiometrics(parts),
    read: async (target, language) => {
      const { state, source } = await readState(parts, target);
      return { view: toView(state, new Date().toISOString(), language), source };
    },
    readCard: async (target) => {
      const { state } = await readState(parts, target);
      if (!hasCard(state.input)) throw new Refused(cardMissing);
      return state.evidence && analysisOf(state, 'card');
    },
    explain: async (target, language) => explain((await readState(parts, target)).state, language),
    readPage: async (target, confirmationId) => {
      const { state } = await readState(parts, target);
      return toPersonsPage(state, confirmationId, new Date().toISOString());
    },
  };
}
