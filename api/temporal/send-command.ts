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
  type RequestInfo,
  transactionWorkflowId,
  updateIdFor,
  workflowType,
} from '../../workflows/contract';
import { Problem } from '../http/problem';
import type { Reader } from './reader';
import { CommandRejected, type CommandRequest, type Target, type Transactions } from './transactions';
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

/**
 * Sends commands to a transaction as Temporal updates. Resumes a closed transaction from its record. Throws CommandRejected for
 * a domain error, and Problem.
 */
export function sendCommands(dependencies: SendDependencies): Pick<Transactions, 'send'> {
  const { client, connection, taskQueue, keys, slots } = dependencies;
  return {
    async send(target, command, request) {
      const { workflowId, requested, options } = updateOf(keys, target, command.name, request);
      const release = await slots.acquire(workflowId);
      const deadlineMs = Date.now() + deadlines.answerMs;
      try {
        const handle = client.workflow.getHandle(workflowId);
        const { output, fingerprint: answered } = await sendUpdate(connection, deadlineMs, () =>
          handle.startUpdate(command, options),
        ).catch(async (error: unknown) => {
          if (!(error instanceof WorkflowNotFoundError)) throw error;
          const { state } = await within(connection, deadlineMs - Date.now(), () => readState(dependencies, target));
          const startWorkflowOperation = new WithStartWorkflowOperation(workflowType, resumeOptions(state, taskQueue));
          return sendUpdate(connection, deadlineMs, () =>
            client.workflow.startUpdateWithStart(command, { ...options, startWorkflowOperation }),
          );
        });
        if (answered !== requested) throw new Problem('idempotency_conflict');
        return output;
      } catch (error) {
        throw rejectionOf(error, requested) ?? asProblem(error);
      } finally {
        release();
      }
    },
  };
}

/** The update of a request. `requested`: the fingerprint that tells apart requests with one key. */
function updateOf<Input>(
  keys: Keys,
  { tenant, id }: Target,
  command: string,
  { input, identity, idempotencyKey, deduplicateBy }: CommandRequest<Input>,
) {
  const requested = fingerprint(keys, tenant, id, command, JSON.stringify(identity));
  const key =
    idempotencyKey !== undefined
      ? fingerprint(keys, 'update', tenant, id, idempotencyKey)
      : deduplicateBy !== undefined
        ? fingerprint(keys, 'same', tenant, id, JSON.stringify(deduplicateBy))
        : randomUUID();
  const args: [Input, RequestInfo] = [input, { fingerprint: requested, repeatable: idempotencyKey !== undefined }];
  const digest = createHash('sha256').update(JSON.stringify(args)).digest('base64url').slice(0, digestLength);
  const options = { args, updateId: updateIdFor(key, digest), waitForStage: 'ACCEPTED' as const };
  return { workflowId: transactionWorkflowId(tenant, id), requested, options };
}

/**
 * Starts an update and waits for its result, at most until `deadlineMs`. Waits less for a worker to accept it, so a caller learns early
 * that none runs.
 */
async function sendUpdate<Output>(
  connection: Connection,
  deadlineMs: number,
  start: () => Promise<{ result: () => Promise<Answered<Output>> }>,
): Promise<Answered<Output>> {
  const accepted = await within(connection, Math.min(deadlines.acceptMs, deadlineMs - Date.now()), start);
  return within(connection, deadlineMs - Date.now(), () => accepted.result());
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
