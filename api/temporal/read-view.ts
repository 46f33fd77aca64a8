import { type Client, type Connection, QueryRejectedError, WorkflowNotFoundError } from '@temporalio/client';
import type { Language } from '../../domain/language';
import { toView, type TransactionView } from '../../domain/views';
import { transactionWorkflowId, view } from '../../workflows/contract';
import type { Source, Target } from './transactions';
import { asProblem, deadlines, isOutage, within } from './deadline';
import { type ReadDependencies, readState } from './read-state';

export interface ViewDependencies extends ReadDependencies {
  /** `record`: the record answers always, for callers who poll a lot. */
  reads: 'workflow' | 'record';
  /** Shared by all reads of a process. Since when queries were not answered in time, in ms; 0 while they are. */
  unanswered: { sinceMs: number };
}

/** While Temporal or every worker is away, reads wait for them only this often: meanwhile the record answers at once. */
const retryQueryAfterMs = 1_000;

const isClosed = (error: unknown) => error instanceof QueryRejectedError || error instanceof WorkflowNotFoundError;

/**
 * What a caller can read: by query of the running workflow. The record answers when the transaction is closed, or the workflow
 * does not answer in time; it has every acknowledged change, so neither lags behind what callers were told.
 */
export async function readView(
  dependencies: ViewDependencies,
  target: Target,
  language?: Language,
): Promise<{ view: TransactionView; source: Source }> {
  const now = new Date().toISOString();
  const { reads, unanswered } = dependencies;
  if (reads === 'workflow' && Date.now() >= unanswered.sinceMs + retryQueryAfterMs) {
    try {
      return { view: await queryView(dependencies, target, now, language), source: 'workflow' };
    } catch (error) {
      if (!isClosed(error) && !isOutage(error)) throw error;
      if (isOutage(error)) unanswered.sinceMs = Date.now();
    }
  }
  return viewOfRecord(dependencies, target, now, language);
}

/** The same, but that of a running workflow only from the workflow itself. Throws service_unavailable. */
export async function readLatestView(dependencies: ReadDependencies, target: Target): Promise<TransactionView> {
  const now = new Date().toISOString();
  try {
    return await queryView(dependencies, target, now);
  } catch (error) {
    if (!isClosed(error)) throw asProblem(error);
    return (await viewOfRecord(dependencies, target, now)).view;
  }
}

async function viewOfRecord(dependencies: ReadDependencies, target: Target, now: string, language?: Language) {
  const { state, source } = await readState(dependencies, target);
  return { view: toView(state, now, language), source };
}

function queryView(
  { client, connection }: { client: Client; connection: Connection },
  { tenant, id }: Target,
  now: string,
  language?: Language,
): Promise<TransactionView> {
  const handle = client.workflow.getHandle(transactionWorkflowId(tenant, id));
  return within(connection, deadlines.queryMs, () => handle.query(view, now, language));
}
