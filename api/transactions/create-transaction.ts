import type { TransactionInput } from '../../domain/transaction';
import { activeFlow } from '../flows/active-flow';
import { isFlowName } from '../flows/flow-name';
import { queryOf } from '../http/page-query';
import { Problem } from '../http/problem';
import type { Call, Handler, Parameter } from '../http/route';
import type { Created, InitialInput } from '../temporal/transactions';
import { startFlowRun } from '../flows/runs/start-run';
import { orFallback } from '../http/or-fallback';

const header = 'X-Countersign-Flow';
const mustMatch = `must be the same flow in the query and in the header ${header}; leave one of them out`;

const parameter = { description: 'The flow to start with the transaction', schema: { type: 'string', maxLength: 60 } };

/** The query is for callers that cannot set a header. */
export const flowParameters: readonly Parameter[] = [
  { name: 'flow', in: 'query', ...parameter },
  { name: header, in: 'header', ...parameter },
];

/** The flow that the same request starts. Throws validation_failed for an invalid name. */
function requestedFlow({ request }: Pick<Call, 'request'>): string | undefined {
  const inHeader = request.get(header);
  const inQuery = queryOf(request.url, ['flow']).get('flow') ?? undefined;
  const flow = inQuery ?? inHeader;
  if (inHeader !== undefined && inHeader !== flow)
    throw new Problem('validation_failed', { errors: { flow: [mustMatch], [header]: [mustMatch] } });
  if (flow !== undefined && !isFlowName(flow))
    throw new Problem('validation_failed', {
      errors: { [inHeader === undefined ? 'flow' : header]: ['must be the name of one flow'] },
    });
  return flow;
}

/** POST /v1/transaction: one durable write, which needs no worker. Then starts the flow, if the request names one. */
export const createTransaction: Handler<TransactionInput> = async (call) => {
  const { dependencies, tenant, body, idempotencyKey } = call;
  const flow = requestedFlow(call);
  const initial = { input: body, initialFlow: flow ?? null };
  const { transaction, replayed } = await (flow === undefined
    ? dependencies.transactions.create(tenant, initial, idempotencyKey)
    : createForFlow(call, flow, initial));
  const id = String(transaction['id']);
  call.logTransaction(id);
  const run = flow === undefined ? undefined : await startInitialRun(call, id, flow);
  const headers = {
    Location: `/v1/transaction/${id}`,
    ...(replayed ? { 'Idempotency-Replayed': 'true' } : {}),
    ...(run ? { 'X-Countersign-Run': run.runId } : {}),
  };
  return { status: 201, headers, body: transaction };
};

/**
 * Creates a transaction for a flow run. A missing scope or an unknown flow creates nothing. A retry returns its transaction,
 * even if the flow is no longer active.
 */
async function createForFlow(call: Call, flow: string, initial: InitialInput): Promise<Created> {
  call.requireAdditionalScope();
  const { dependencies, tenant, idempotencyKey } = call;
  const active = await orFallback(activeFlow(dependencies.flowStore, tenant, flow), () =>
    dependencies.transactions.findByIdempotencyKey(tenant, initial, idempotencyKey),
  );
  return 'transaction' in active ? active : dependencies.transactions.create(tenant, initial, idempotencyKey);
}

/** If the run fails to start, the transaction exists: the problem has its id, and a retry with the same key continues with it. */
async function startInitialRun({ dependencies, tenant, idempotencyKey, logRun }: Call, id: string, flow: string) {
  try {
    return await startFlowRun({ dependencies, tenant, id, logRun }, flow, idempotencyKey && `${idempotencyKey}/flow`);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new Problem(error.code, { ...error.extras, members: { ...error.extras.members, transactionId: id } });
  }
}
