import {
  type Client,
  type Connection,
  type QueryDefinition,
  QueryRejectedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { newState, type TransactionState } from '../../domain/state';
import { transactionWorkflowId } from '../../workflows/contract';
import { Problem } from '../problems';
import type { Reader } from '../reader';
import type { Source, Target } from '../transactions';
import { deadlines, silenceOf, within } from './deadline';
import { readMemo } from './open-transaction';
import type { Outage } from './outage';

export interface AskDependencies {
  client: Client;
  connection: Connection;
  reader: Reader;
  outage: Outage;
}

/** A read in its two forms, which give the same: of the running workflow, and of a kept state. */
export interface Question<Answer, Args extends unknown[]> {
  query: QueryDefinition<Answer, Args>;
  args: Args;
  ofState: (state: TransactionState) => Answer;
}

/**
 * Asks the workflow; when it is closed or away, answers from the record; when there is none yet, from what the
 * transaction was born with. Throws transaction_not_found only when none of them knows the transaction.
 */
export async function askTransaction<Answer, Args extends unknown[]>(
  parts: AskDependencies,
  target: Target,
  question: Question<Answer, Args>,
): Promise<{ answer: Answer; source: Source }> {
  const live = await askWorkflow(parts, target, question);
  if (live.found === 'answer') return { answer: live.answer, source: 'workflow' };
  const state = await parts.reader.state(target).catch(() => {
    throw new Problem('service_unavailable');
  });
  if (state) return { answer: question.ofState(state), source: 'record' };
  if (live.found === 'nothing') throw new Problem('transaction_not_found');
  const memo = await readMemo(parts, target).catch((error: unknown) => {
    if (error instanceof WorkflowNotFoundError) throw new Problem('transaction_not_found');
    throw error;
  });
  if (!memo) throw new Problem('transaction_not_found');
  return { answer: question.ofState(newState(memo.born)), source: 'birth' };
}

type Live<Answer> = { found: 'answer'; answer: Answer } | { found: 'nothing' | 'closed' | 'outage' };

async function askWorkflow<Answer, Args extends unknown[]>(
  { client, connection, outage }: AskDependencies,
  { tenant, id }: Target,
  { query, args }: Question<Answer, Args>,
): Promise<Live<Answer>> {
  const workflowId = transactionWorkflowId(tenant, id);
  if (outage.lasts(workflowId)) return { found: 'outage' };
  try {
    const handle = client.workflow.getHandle(workflowId);
    return { found: 'answer', answer: await within(connection, deadlines.askMs, () => handle.query(query, ...args)) };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { found: 'nothing' };
    if (error instanceof QueryRejectedError) return { found: 'closed' };
    // Whatever else went wrong, the record has every acknowledged change.
    const silence = silenceOf(error);
    if (silence === 'service') outage.noteUnreachable();
    if (silence === 'workflow') outage.noteSilent(workflowId);
    return { found: 'outage' };
  }
}
