import { recordNotSavedType } from '../../workflows/contract/activities';
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Client,
  WithStartWorkflowOperation,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import {
  createDomainError,
  type DomainErrorDetails,
  type DomainErrorType,
  domainErrorTypes,
} from '../../domain/domain-error';
import { keyedHash } from '../../messages/codes';
import type { Keys } from '../../platform/keys/service-keys';
import { grpcCodeOf, grpcCodes } from '../../platform/outage';
import { withDeadline } from '../../platform/temporal/connection';
import { type CommandResponse, recordAheadType, type RequestInfo } from '../../workflows/contract/commands';
import { resumeOptions } from '../../workflows/contract/start';
import { transactionWorkflowId, updateIdFor, workflowType } from '../../workflows/contract/ids';
import { Problem } from '../http/problem';
import { deadlines, isErased, outageOrErasureToProblem, readState, type Records, toErasedProblem } from './records';
import { findRecordVersion, reportRecordVersion } from './read-view';
import { CommandRejected, type CommandRequest, type Target, type Transactions } from './transactions';
import { E_TIMEOUT, Semaphore, withTimeout } from 'async-mutex';

/** The update id contains this many characters of a hash of the whole request. 16 characters of base64url are 96 bits. */
const digestLength = 16;

export interface SendDependencies {
  client: Client;
  taskQueue: string;
  keys: Keys;
  records: Records;
  slots: CommandSlots;
}

/**
 * Creates the method that sends commands to a transaction, as Temporal updates. It resumes a closed transaction from its record. It throws
 * CommandRejected for a domain error. It throws Problem for an outage, and for an idempotency key that was used for another request.
 */
export function createCommandSender(dependencies: SendDependencies): Pick<Transactions, 'send'> {
  const { client, taskQueue, keys, records, slots } = dependencies;
  return {
    async send(target, command, request) {
      const { workflowId, requestFingerprint, options } = updateOf(keys, target, command.name, request);
      const release = await slots.acquire(workflowId);
      const deadlineMs = Date.now() + deadlines.answerMs;
      const sendOnce = () => {
        const handle = client.workflow.getHandle(workflowId);
        return sendUpdate(client, deadlineMs, () => handle.startUpdate(command, options)).catch(
          async (error: unknown) => {
            // Continues only if the workflow is closed, or the transaction is unknown or erased. For an unknown or erased transaction,
            // `readState` throws.
            if (!(error instanceof WorkflowNotFoundError) && !isErased(error)) throw error;
            const state = await withDeadline(client, deadlineMs - Date.now(), () => readState(records, target));
            const startWorkflowOperation = new WithStartWorkflowOperation(
              workflowType,
              resumeOptions(state, taskQueue),
            );
            return sendUpdate(client, deadlineMs, () =>
              client.workflow.startUpdateWithStart(command, { ...options, startWorkflowOperation }),
            );
          },
        );
      };
      try {
        const { output, fingerprint: resultFingerprint } = await repeatIfBehind(dependencies, target, sendOnce);
        if (resultFingerprint !== requestFingerprint) throw new Problem('idempotency_conflict');
        return output;
      } catch (error) {
        if (endedMeanwhile(error)) throw new Problem('service_unavailable');
        if (failureOf(error)?.type === recordNotSavedType) throw new Problem('record_not_saved');
        throw (
          rejectionOf(error, requestFingerprint) ??
          (await toErasedProblem(records, target, outageOrErasureToProblem(error)))
        );
      } finally {
        release();
      }
    },
  };
}

/**
 * The pauses before the repeats of a command that met a workflow behind its record, in ms. The next workflow run usually starts within 100 ms.
 * If the workflow first waits for the answer of a provider, it takes up to 4 s.
 */
const repeatPausesMs = [50, 100, 200, 400, 800, 1_600];

/**
 * Sends a command. If the workflow is behind its record, the workflow continues from the record in its next run, and the command is sent
 * again to this run. So no command is answered from a state that the record has replaced. The command is also sent again if the workflow has
 * saved a change meanwhile, but only until the workflow knows the version of the record at the first rejection.
 */
async function repeatIfBehind<Result>(
  dependencies: SendDependencies,
  target: Target,
  send: () => Promise<Result>,
): Promise<Result> {
  let version: number | undefined;
  for (const pauseMs of repeatPausesMs) {
    try {
      return await send();
    } catch (error) {
      const failure = failureOf(error);
      const { savedVersion } = (failure?.details?.[0] ?? {}) as DomainErrorDetails;
      if (savedVersion !== undefined) {
        // The decision in the validator rejected the command, without a look at the record.
        version ??= await findRecordVersion(dependencies, target);
        if (version === undefined || version <= savedVersion) throw error;
        await reportRecordVersion(dependencies, target, version);
      } else if (failure?.type !== recordAheadType) throw error;
    }
    await pause(pauseMs);
  }
  return send();
}

/** The failure with which a workflow has answered an update. Undefined for other errors. */
function failureOf(error: unknown): ApplicationFailure | undefined {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
  return cause instanceof ApplicationFailure ? cause : undefined;
}

/** Creates the update for a request, with its fingerprint (see `RequestInfo`). A repeat of the request has the same fingerprint. */
function updateOf<Input>(
  keys: Keys,
  { tenant, id }: Target,
  command: string,
  { input, identity, idempotencyKey, deduplicateBy }: CommandRequest<Input>,
) {
  const requestFingerprint = keyedHash(keys, tenant, id, command, JSON.stringify(identity));
  // Without an idempotency key, requests with an equal `deduplicateBy` count as one request.
  const key =
    idempotencyKey !== undefined
      ? keyedHash(keys, 'update', tenant, id, idempotencyKey)
      : deduplicateBy !== undefined
        ? keyedHash(keys, 'same', tenant, id, JSON.stringify(deduplicateBy))
        : randomUUID();
  const args: [Input, RequestInfo] = [
    input,
    { fingerprint: requestFingerprint, rememberResponse: idempotencyKey !== undefined },
  ];
  const digest = createHash('sha256').update(JSON.stringify(args)).digest('base64url').slice(0, digestLength);
  const options = { args, updateId: updateIdFor(key, digest), waitForStage: 'ACCEPTED' as const };
  return { workflowId: transactionWorkflowId(tenant, id), requestFingerprint, options };
}

/**
 * Starts an update and waits for its result, at most until `deadlineMs`. The wait until a worker accepts the update is shorter, so that a
 * caller learns early if no worker runs.
 */
async function sendUpdate<Output>(
  client: Client,
  deadlineMs: number,
  start: () => Promise<{ result: () => Promise<CommandResponse<Output>> }>,
): Promise<CommandResponse<Output>> {
  const update = await withDeadline(client, Math.min(deadlines.acceptMs, deadlineMs - Date.now()), start);
  return withDeadline(client, deadlineMs - Date.now(), () => update.result());
}

/** Temporal's name for the failure of an accepted update whose workflow ended before the update had a result. */
const endedWorkflowType = 'AcceptedUpdateCompletedWorkflow';

/**
 * Whether the workflow ended during the request, because an erasure or an operator terminated it. This can happen before the update
 * arrives, even if this request started the workflow. It can also happen after the workflow has accepted the update. The same holds for a
 * workflow that is still behind its record. In all cases, it is not known whether the update had an effect. A repeat of the request gets the
 * answer.
 */
function endedMeanwhile(error: unknown): boolean {
  if (error instanceof WorkflowNotFoundError) return true;
  // The workflow ended between its start and the update.
  if (grpcCodeOf(error) === grpcCodes.notFound) return true;
  const type = failureOf(error)?.type;
  return type === endedWorkflowType || type === recordAheadType;
}

/** Returns why the transaction rejected an update: a domain error, or idempotency_conflict. Undefined for other errors. */
function rejectionOf(error: unknown, requestFingerprint: string): CommandRejected | Problem | undefined {
  const cause = failureOf(error);
  if (!cause || !domainErrorTypes.includes(cause.type as DomainErrorType)) return undefined;
  const {
    fingerprint: resultFingerprint,
    savedVersion: _,
    ...details
  } = (cause.details?.[0] ?? {}) as DomainErrorDetails;
  // Temporal remembers a rejection under the update id, and gives it to later updates with the same id. A different request must not get
  // this rejection.
  if (resultFingerprint !== undefined && resultFingerprint !== requestFingerprint)
    return new Problem('idempotency_conflict');
  return new CommandRejected(createDomainError(cause.type as DomainErrorType, cause.message, details));
}

/**
 * How many commands of one transaction this process sends at the same time. With two, one command can run while another waits for a
 * provider. Temporal accepts 10 updates at a time for each workflow, so five API processes never exceed its limit. With more processes,
 * some commands can get service_unavailable if many arrive for one transaction at the same time.
 */
const slotsPerTransaction = 2;

/**
 * Maximum number of waiting commands of one transaction. Only an attacker or a caller with a faulty loop sends more. Without this limit,
 * their commands would fill the memory.
 */
const waitingMax = 500;

interface TransactionSlots {
  semaphore: ReturnType<typeof withTimeout>;
  /** Commands that run or wait. */
  commandCount: number;
}

/**
 * Limits how many commands of each transaction run at the same time. A command needs a slot to run. The other commands wait for a slot in
 * their order.
 */
export class CommandSlots {
  readonly #slots = new Map<string, TransactionSlots>();

  /**
   * Waits for a slot of a transaction. Resolves to a function that releases the slot. Throws service_unavailable after `deadlines.slotMs`,
   * or at once if too many commands wait.
   */
  async acquire(workflowId: string): Promise<() => void> {
    const slots = this.#slots.get(workflowId) ?? {
      semaphore: withTimeout(new Semaphore(slotsPerTransaction), deadlines.slotMs),
      commandCount: 0,
    };
    if (slots.commandCount >= slotsPerTransaction + waitingMax) throw new Problem('service_unavailable');
    this.#slots.set(workflowId, slots);
    slots.commandCount += 1;
    const removeCommand = () => {
      slots.commandCount -= 1;
      if (slots.commandCount === 0) this.#slots.delete(workflowId);
    };
    try {
      const [, release] = await slots.semaphore.acquire();
      return () => {
        release();
        removeCommand();
      };
    } catch (error) {
      removeCommand();
      throw error === E_TIMEOUT ? new Problem('service_unavailable') : error;
    }
  }
}
