import { z } from 'zod';
import { flowLimits } from '../../domain/flows/bounds';
import { namePatterns } from '../../domain/flows/definition';
import type { TransactionInput } from '../../domain/transactions/input';
import { requireActiveFlow, startFlowRun, type StartNeeds, startProblems } from '../flows/runs/start-run';
import { isFlowName } from '../flows/flow-body';
import { parseQuery } from '../http/page-query';
import { Problem, withFallbackOnProblem } from '../http/problem';
import { type ApiRoute, type BodySettings, type Call, type Handler, type Parameter, withBody } from '../http/route';
import type { CreatedTransaction, InitialInput } from './transactions';
import { transactionBody, transactionBytesMax, transactionExample } from './transaction-body';
import { transactionResponse } from './transaction-response';

const flowHeader = 'X-Countersign-Flow';

const mustMatchText = `must be the same flow in the query and in the header ${flowHeader}; leave one of them out`;

const flowParameter = {
  description: 'The flow to start with the transaction',
  schema: { type: 'string', maxLength: flowLimits.nameCharacters, pattern: namePatterns.kebab.source },
};

/** The parameters that name a flow to start. The query parameter is for callers that cannot set a header. */
export const flowParameters: readonly Parameter[] = [
  { name: 'flow', in: 'query', ...flowParameter },
  { name: flowHeader, in: 'header', ...flowParameter },
];

/** The flow that the request names, if any. Throws validation_failed for an invalid name. */
function requestedFlow({ request }: Pick<Call, 'request'>): string | undefined {
  const headerFlow = request.get(flowHeader);
  const { flow: queryFlow } = parseQuery(request.url, { flow: z.string().optional() });
  const flow = queryFlow ?? headerFlow;
  if (headerFlow !== undefined && headerFlow !== flow)
    throw new Problem('validation_failed', { errors: { flow: [mustMatchText], [flowHeader]: [mustMatchText] } });
  if (flow !== undefined && !isFlowName(flow))
    throw new Problem('validation_failed', {
      errors: { [headerFlow === undefined ? 'flow' : flowHeader]: ['must be the name of one flow'] },
    });
  return flow;
}

/**
 * POST /v1/transaction: saves the record, even if Temporal does not answer. If the request names a flow, also starts a flow run.
 */
export const createTransaction: Handler<StartNeeds, TransactionInput> = async (call) => {
  const { dependencies, tenant, body, idempotencyKey } = call;
  const flow = requestedFlow(call);
  const initialInput = { input: body, initialFlow: flow ?? null };
  const { transaction, replayed } = await (flow === undefined
    ? dependencies.transactions.create(tenant, initialInput, idempotencyKey)
    : createForFlow(call, flow, initialInput));
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
 * Creates a transaction for a flow run. Creates nothing if the caller does not have the scope `confirmation:send`, or if the flow is
 * unknown. A retry returns the same transaction, even if the flow is no longer active.
 */
async function createForFlow(
  call: Call<'flowStore' | 'transactions'>,
  flow: string,
  initialInput: InitialInput,
): Promise<CreatedTransaction> {
  call.checkAdditionalScope();
  const { dependencies, tenant, idempotencyKey } = call;
  const flowOrTransaction = await withFallbackOnProblem(requireActiveFlow(dependencies.flowStore, tenant, flow), () =>
    dependencies.transactions.findByIdempotencyKey(tenant, initialInput, idempotencyKey),
  );
  if ('values' in flowOrTransaction && flowOrTransaction.values) throw new Problem('values_needed');
  return 'transaction' in flowOrTransaction
    ? flowOrTransaction
    : dependencies.transactions.create(tenant, initialInput, idempotencyKey);
}

/**
 * Starts the flow run of a new transaction. If this fails, the problem has the id of the transaction. A retry with the same key then uses
 * this transaction.
 */
async function startInitialRun(call: Call<StartNeeds>, id: string, flow: string) {
  try {
    return await startFlowRun({ ...call, id }, flow, call.idempotencyKey && `${call.idempotencyKey}/flow`);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new Problem(error.code, { ...error.extras, members: { ...error.extras.members, transactionId: id } });
  }
}

/** POST /v1/transaction, as in SPEC. */
export const createTransactionRoutes: readonly ApiRoute[] = [
  withBody({
    operationId: 'createTransaction',
    method: 'post',
    path: '/v1/transaction',
    scope: 'transaction:write',
    additionalScope: { scope: 'confirmation:send', condition: 'when a flow is named' },
    summary: 'Create a transaction, and start a flow run if a flow is named',
    parameters: flowParameters,
    responseHeaders: ['Location', 'Idempotency-Replayed', 'X-Countersign-Run'],
    body: ({ config }: BodySettings) => transactionBody(config.STRICT_DOCUMENTS),
    bodyLimits: { bytes: transactionBytesMax },
    example: transactionExample,
    responses: { 201: transactionResponse },
    problems: [...startProblems, 'values_needed', 'erased', 'person_denied'],
    provides: { id: '$response.body#/id' },
    handler: createTransaction,
  }),
];
