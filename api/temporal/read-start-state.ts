import { type Client, isGrpcServiceError } from '@temporalio/client';
import { newState, type TransactionState } from '../../domain/state';
import { type TransactionStart, transactionWorkflowId } from '../../workflows/contract';
import { deadlines, outageOrErasureToProblem, withDeadline } from './deadline';
import type { Target } from './transactions';

/** The gRPC status code NOT_FOUND. */
const notFoundCode = 5;

/**
 * Returns the state with which the newest execution of the workflow began. An execution is one run of a workflow, with its own history.
 * The state comes from the first event of this history. Undefined if there is no such workflow. Throws the problem `erased` if the
 * transaction was erased.
 */
export async function readStartState(
  { client }: { client: Client },
  { tenant, id }: Target,
): Promise<TransactionState | undefined> {
  const workflowId = transactionWorkflowId(tenant, id);
  try {
    const start = await withDeadline(client, deadlines.startStateMs, () => readStart(client, workflowId));
    return 'createdFrom' in start ? newState(start.createdFrom) : start.resumed;
  } catch (error) {
    if (isGrpcServiceError(error) && (error.code as number) === notFoundCode) return undefined;
    throw outageOrErasureToProblem(error);
  }
}

/** Reads and decrypts the input of the workflow. */
async function readStart(client: Client, workflowId: string): Promise<TransactionStart> {
  const { namespace, loadedDataConverter } = client.options;
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace,
    execution: { workflowId },
    maximumPageSize: 1,
  });
  const input = history?.events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  const { payloadCodecs, payloadConverter } = loadedDataConverter;
  let payloads = input;
  for (const codec of payloadCodecs.toReversed())
    payloads = await codec.decode(payloads, { type: 'workflow', namespace, workflowId });
  const [payload] = payloads;
  if (!payload) throw new Error(`The workflow ${workflowId} has no input.`);
  return payloadConverter.fromPayload<TransactionStart>(payload);
}
