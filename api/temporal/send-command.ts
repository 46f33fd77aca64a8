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
import { resumed } from './resume';

/** Characters of a digest that no caller can choose: 96 bits tell what a key was used for. */
const digestLength = 16;

export interface SendDependencies {
  client: Client;
  connection: Connection;
  taskQueue: string;
  keys: Keys;
  reader: Reader;
  slots: CommandSlots;
}

/** An update ready to be sent. */
interface Update<Input, Output> {
  workflowId: string;
  updateId: string;
  command: Command<Input, Output>;
  args: [Input, RequestInfo];
}

/** Sends a command to a transaction, and resumes it from its record when it is closed. Throws CommandRejected and Problem. */
export async function sendCommand<Input, Output>(
  dependencies: SendDependencies,
  target: Target,
  command: Command<Input, Output>,
  request: CommandRequest<Input>,
): Promise<Output> {
  const update = updateOf(dependencies.keys, target, command, request);
  const { fingerprint: asked } = update.args[1];
  return dependencies.slots.use(update.workflowId, async () => {
    try {
      const answered = await sendToOpen(dependencies, update).catch(async (error: unknown) => {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
        return resumeAndSend(dependencies, target, update);
      });
      if (answered.fingerprint !== asked) throw new Problem('idempotency_conflict');
      return answered.output;
    } catch (error) {
      throw rejectionIn(error, asked) ?? asProblem(error);
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

async function sendToOpen<Input, Output>(
  { client, connection }: SendDependencies,
  { workflowId, updateId, command, args }: Update<Input, Output>,
): Promise<Answered<Output>> {
  const handle = client.workflow.getHandle(workflowId);
  return answerOf(connection, () => handle.startUpdate(command, { args, updateId, waitForStage: 'ACCEPTED' }));
}

async function resumeAndSend<Input, Output>(
  dependencies: SendDependencies,
  target: Target,
  { updateId, command, args }: Update<Input, Output>,
): Promise<Answered<Output>> {
  const { client, connection, taskQueue } = dependencies;
  const { state } = await readState(dependencies, target);
  const startWorkflowOperation = new WithStartWorkflowOperation(workflowType, resumed(state, taskQueue));
  return answerOf(connection, () =>
    client.workflow.startUpdateWithStart(command, {
      args,
      updateId,
      waitForStage: 'ACCEPTED',
      startWorkflowOperation,
    }),
  );
}

/** Waits until a worker has accepted an update, and then until it is answered: with no worker, the caller is told early. */
async function answerOf<Output>(
  connection: Connection,
  start: () => Promise<{ result: () => Promise<Answered<Output>> }>,
): Promise<Answered<Output>> {
  const startedMs = Date.now();
  const accepted = await within(connection, deadlines.acceptMs, start);
  return within(connection, deadlines.answerMs - (Date.now() - startedMs), () => accepted.result());
}

/** The domain error that an update failed with; undefined when it failed otherwise. */
function rejectionIn(error: unknown, asked: string): CommandRejected | Problem | undefined {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
  if (!(cause instanceof ApplicationFailure) || !domainErrorTypes.includes(cause.type as DomainErrorType))
    return undefined;
  const { fingerprint: answered, ...details } = (cause.details?.[0] ?? {}) as DomainErrorDetails;
  // What a handler refused is remembered under its key, and another request must not be told it.
  if (answered !== undefined && answered !== asked) return new Problem('idempotency_conflict');
  return new CommandRejected(createDomainError(cause.type as DomainErrorType, cause.message, details));
}
