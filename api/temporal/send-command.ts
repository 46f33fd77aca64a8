import { createHash, randomUUID } from 'node:crypto';
import {
  type Client,
  type Connection,
  WithStartWorkflowOperation,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import {
  type DomainErrorDetails,
  type DomainErrorType,
  createDomainError,
  domainErrorTypes,
} from '../../domain/domain-error';
import { fingerprint } from '../../platform/codes';
import type { Keys } from '../../platform/keys';
import {
  type Answered,
  type Command,
  type RequestInfo,
  transactionWorkflowId,
  updateIdFor,
  workflowType,
} from '../../workflows/contract';
import { Problem } from '../http/problem';
import type { Reader } from './reader';
import { CommandRejected, type CommandRequest, type Target } from './transactions';
import type { CommandSlots } from './command-slots';
import { asProblem, deadlines, within } from './deadline';
import { readState } from './read-state';
import { resumeOptions } from './resume';

/** 96 bits, enough to tell apart what a key was used for. */
const digestLength = 16;

export interface SendDependencies {
  client: Client;
  connection: Connection;
  taskQueue: string;
  keys: Keys;
  reader: Reader;
  slots: CommandSlots;
}

interface Update<Input, Output> {
  workflowId: string;
  updateId: string;
  command: Command<Input, Output>;
  args: [Input, RequestInfo];
}

/**
 * Sends a command to a transaction as a Temporal update. Resumes the transaction from its record if it is closed. Throws
 * CommandRejected for a domain error, and Problem.
 */
export async function sendCommand<Input, Output>(
  dependencies: SendDependencies,
  target: Target,
  command: Command<Input, Output>,
  request: CommandRequest<Input>,
): Promise<Output> {
  const update = updateOf(dependencies.keys, target, command, request);
  const [, { fingerprint: requested }] = update.args;
  return dependencies.slots.use(update.workflowId, async () => {
    try {
      const answered = await sendUpdate(dependencies, update).catch(async (error: unknown) => {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
        return resumeAndSend(dependencies, target, update);
      });
      if (answered.fingerprint !== requested) throw new Problem('idempotency_conflict');
      return answered.output;
    } catch (error) {
      throw rejectionOf(error, requested) ?? asProblem(error);
    }
  });
}

function updateOf<Input, Output>(
  keys: Keys,
  { tenant, id }: Target,
  command: Command<Input, Output>,
  { input, identity, idempotencyKey, sameAs }: CommandRequest<Input>,
): Update<Input, Output> {
  const info = {
    fingerprint: fingerprint(keys, tenant, id, command.name, JSON.stringify(identity)),
    repeatable: idempotencyKey !== undefined,
  };
  const key =
    idempotencyKey !== undefined
      ? fingerprint(keys, 'update', tenant, id, idempotencyKey)
      : sameAs !== undefined
        ? fingerprint(keys, 'same', tenant, id, JSON.stringify(sameAs))
        : randomUUID();
  const args: [Input, RequestInfo] = [input, info];
  const digest = createHash('sha256').update(JSON.stringify(args)).digest('base64url').slice(0, digestLength);
  return { workflowId: transactionWorkflowId(tenant, id), updateId: updateIdFor(key, digest), command, args };
}

async function sendUpdate<Input, Output>(
  { client, connection }: SendDependencies,
  { workflowId, updateId, command, args }: Update<Input, Output>,
): Promise<Answered<Output>> {
  const handle = client.workflow.getHandle(workflowId);
  return awaitResult(connection, () => handle.startUpdate(command, { args, updateId, waitForStage: 'ACCEPTED' }));
}

async function resumeAndSend<Input, Output>(
  dependencies: SendDependencies,
  target: Target,
  { updateId, command, args }: Update<Input, Output>,
): Promise<Answered<Output>> {
  const { client, connection, taskQueue } = dependencies;
  const { state } = await readState(dependencies, target);
  const startWorkflowOperation = new WithStartWorkflowOperation(workflowType, resumeOptions(state, taskQueue));
  return awaitResult(connection, () =>
    client.workflow.startUpdateWithStart(command, {
      args,
      updateId,
      waitForStage: 'ACCEPTED',
      startWorkflowOperation,
    }),
  );
}

/** Waits until a worker accepts an update, then for its result. So a caller learns early that no worker runs. */
async function awaitResult<Output>(
  connection: Connection,
  start: () => Promise<{ result: () => Promise<Answered<Output>> }>,
): Promise<Answered<Output>> {
  const startedMs = Date.now();
  const accepted = await within(connection, deadlines.acceptMs, start);
  return within(connection, deadlines.answerMs - (Date.now() - startedMs), () => accepted.result());
}

/** The domain error of a failed update; undefined for other errors. */
function rejectionOf(error: unknown, requested: string): CommandRejected | Problem | undefined {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
  if (!(cause instanceof ApplicationFailure) || !domainErrorTypes.includes(cause.type as DomainErrorType))
    return undefined;
  const { fingerprint: answered, ...details } = (cause.details?.[0] ?? {}) as DomainErrorDetails;
  // Temporal remembers a rejection under its update id. A different request must not get it.
  if (answered !== undefined && answered !== requested) return new Problem('idempotency_conflict');
  return new CommandRejected(createDomainError(cause.type as DomainErrorType, cause.message, details));
}
