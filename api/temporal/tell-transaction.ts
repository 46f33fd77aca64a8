import { createHash } from 'node:crypto';
import {
  type Client,
  type Connection,
  type UpdateDefinition,
  WithStartWorkflowOperation,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { type FailureDetails, type FailureType, failure, failureTypes } from '../../domain/failures';
import type { TransactionState } from '../../domain/state';
import {
  type Fingerprinted,
  type Remembered,
  transactionWorkflowId,
  updateIdFor,
  workflowType,
} from '../../workflows/contract';
import { Problem } from '../problem';
import type { Reader } from '../reader';
import { Refused, type Target } from '../transactions';
import { asProblem, deadlines, within } from './deadline';
import { readState } from './read-state';
import type { Judge } from './certain-refusals';
import type { Turnstile } from './turnstile';
import { woken } from './woken';

/** Of a digest that no caller can choose: 96 bits tell what a key was used for. */
const digestLength = 16;

export interface TellDependencies {
  client: Client;
  connection: Connection;
  taskQueue: string;
  reader: Reader;
  turnstile: Turnstile;
}

export interface Told<Answer, Asked extends Fingerprinted> {
  update: UpdateDefinition<Remembered<Answer>, [Asked]>;
  /** Stands for the caller's key; a new one where there is none. */
  updateId: string;
  asked: Asked;
  /** Judges on a kept state, before a run is begun for nothing. */
  judge: Judge;
  /** The answer of a transaction at rest that has done already what it is told; undefined when it has not. */
  done?: (state: TransactionState, now: string) => Answer | undefined;
  /** The answer that a kept one stands for, where it is not kept whole. */
  recall?: (state: TransactionState, kept: unknown) => Answer;
}

/** Tells a transaction something, and wakes it from its record when it sleeps. Gives the answer, or throws Refused. */
export async function tellTransaction<Answer, Asked extends Fingerprinted>(
  parts: TellDependencies,
  target: Target,
  told: Told<Answer, Asked>,
): Promise<Answer> {
  const workflowId = transactionWorkflowId(target.tenant, target.id);
  return parts.turnstile.pass(workflowId, async () => {
    try {
      const { fingerprint, answer } = await tellOrWake(parts, target, workflowId, told);
      if (fingerprint !== told.asked.fingerprint) throw new Problem('idempotency_conflict');
      return answer;
    } catch (error) {
      throw refusedBy(error, told.asked) ?? asProblem(error);
    }
  });
}

async function tellOrWake<Answer, Asked extends Fingerprinted>(
  parts: TellDependencies,
  target: Target,
  workflowId: string,
  told: Told<Answer, Asked>,
): Promise<Remembered<Answer>> {
  try {
    return await tell(parts, workflowId, told);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
  const { state } = await readState(parts, target);
  const known = state.answers.find((remembered) => remembered.updateId === told.updateId);
  if (known) return recalled(state, known.answer as Remembered<unknown>, told);
  const now = new Date().toISOString();
  const refused = told.judge(state, now);
  if (refused) throw new Refused(refused);
  const answer = told.done?.(state, now);
  return answer === undefined ? wake(parts, state, told) : { fingerprint: told.asked.fingerprint, answer };
}

function recalled<Answer, Asked extends Fingerprinted>(
  state: TransactionState,
  { fingerprint, answer }: Remembered<unknown>,
  { recall }: Told<Answer, Asked>,
): Remembered<Answer> {
  return { fingerprint, answer: recall ? recall(state, answer) : (answer as Answer) };
}

const idOf = (key: string, asked: Fingerprinted): string =>
  updateIdFor(key, createHash('sha256').update(JSON.stringify(asked)).digest('base64url').slice(0, digestLength));

async function tell<Answer, Asked extends Fingerprinted>(
  { client, connection }: TellDependencies,
  workflowId: string,
  { update, updateId, asked }: Told<Answer, Asked>,
): Promise<Remembered<Answer>> {
  const begun = Date.now();
  const handle = client.workflow.getHandle(workflowId);
  const accepted = await within(connection, deadlines.acceptMs, () =>
    handle.startUpdate(update, { args: [asked], updateId: idOf(updateId, asked), waitForStage: 'ACCEPTED' }),
  );
  return within(connection, deadlines.answerMs - (Date.now() - begun), () => accepted.result());
}

async function wake<Answer, Asked extends Fingerprinted>(
  { client, connection, taskQueue }: TellDependencies,
  state: TransactionState,
  { update, updateId, asked }: Told<Answer, Asked>,
): Promise<Remembered<Answer>> {
  const begun = Date.now();
  const startWorkflowOperation = new WithStartWorkflowOperation(workflowType, woken(state, taskQueue));
  const accepted = await within(connection, deadlines.acceptMs, () =>
    client.workflow.startUpdateWithStart(update, {
      args: [asked],
      updateId: idOf(updateId, asked),
      waitForStage: 'ACCEPTED',
      startWorkflowOperation,
    }),
  );
  return within(connection, deadlines.answerMs - (Date.now() - begun), () => accepted.result());
}

/** The refusal that an update failed with, or undefined when it failed otherwise. */
function refusedBy(error: unknown, asked: Fingerprinted): Refused | Problem | undefined {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
  if (!(cause instanceof ApplicationFailure) || !failureTypes.includes(cause.type as FailureType)) return undefined;
  const { fingerprint, ...details } = (cause.details?.[0] ?? {}) as FailureDetails;
  // What a handler refused is remembered under its key, and another request must not be told of it.
  if (fingerprint !== undefined && fingerprint !== asked.fingerprint) return new Problem('idempotency_conflict');
  return new Refused(failure(cause.type as FailureType, cause.message, details));
}
