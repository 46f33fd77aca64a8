import type { PoolClient } from '../../../platform/postgres/postgres';
import {
  beginFlowRequest,
  findFlowRequest,
  type FlowRequest,
  saveFlowAnswer,
} from '../../../store/flows/flow-activations.sql';
import { Problem } from '../../http/problem';

/**
 * Runs `work` once for each idempotency key of a tenant, in the database transaction of `client`. A retry gets the result of the first
 * request. This result must be plain JSON. If `work` throws, nothing is saved. Throws idempotency_conflict if the key was used for a
 * different request.
 */
export async function runOncePerKey<Result>(
  client: PoolClient,
  request: FlowRequest,
  work: () => Promise<Result>,
): Promise<{ result: Result; replayed: boolean }> {
  if (!(await beginFlowRequest(client, request))) {
    const savedRequest = await findFlowRequest(client, request);
    if (savedRequest?.digest !== request.digest) throw new Problem('idempotency_conflict');
    return { result: savedRequest.answer as Result, replayed: true };
  }
  const result = await work();
  await saveFlowAnswer(client, request, result);
  return { result, replayed: false };
}
