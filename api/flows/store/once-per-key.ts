import type { PoolClient } from '../../../platform/postgres';
import {
  beginFlowRequest,
  findFlowRequest,
  type FlowRequest,
  saveFlowAnswer,
} from '../../../store/flows/flow-requests.sql';
import { Problem } from '../../http/problem';

/**
 * Does a piece of work once for each key of a tenant, in the transaction of `client`; a repeat gets the answer of the
 * first, which must be plain JSON. What throws keeps nothing. Throws idempotency_conflict when the key was used for
 * something else.
 */
export async function oncePerKey<Result>(
  client: PoolClient,
  request: FlowRequest,
  work: () => Promise<Result>,
): Promise<{ result: Result; replayed: boolean }> {
  if (!(await beginFlowRequest(client, request))) {
    const known = await findFlowRequest(client, request);
    if (known?.digest !== request.digest) throw new Problem('idempotency_conflict');
    return { result: known.answer as Result, replayed: true };
  }
  const result = await work();
  await saveFlowAnswer(client, request, result);
  return { result, replayed: false };
}
