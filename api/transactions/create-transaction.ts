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
const mustMatch = `the query's flow and the header ${header} must name the same flow, or one of them be left out`;

const named = { description: 'The flow to start with the transaction', schema: { type: 'string', maxLength: 60 } };

/** Both ways to name a flow: the query is for callers who cannot set a header. */
export const flowParameters: readonly Parameter[] = [
  { name: 'flow', in: 'query', ...named },
  { name: header, in: 'header', ...named },
];

/** The flow that one call is to begin as well. A name that is misspelt is refused: nobody waits for a run that was never begun. */
function requestedFlow({ request }: Pick<Call, 'request'>): string | undefined {
  const inHeader = request.get(header);
  const inQuery = queryOf(request.url, ['flow']).get('flow') ?? undefined;
  const asked = inQuery ?? inHeader;
  const refuse = (errors: Record<string, string[]>) => {
    throw new Problem('validation_failed', { errors });
  };
  if (inHeader !== undefined && inHeader !== asked) refuse({ flow: [mustMatch], [header]: [mustMatch] });
  if (asked !== undefined && !isFlowName(asked))
    refuse({ [inHeader === undefined ? 'flow' : header]: ['must be the name of one flow'] });
  return asked;
}

/** POST /v1/transaction: one durable write, answered even while no worker runs. With a flow, its run begins at once. */
export const createTransaction: Handler<TransactionInput> = async (call) => {
  const { dependencies, tenant, body, idempotencyKey } = call;
  const flow = requestedFlow(call);
  const initial = { input: body, initialFlow: flow ?? null };
  const { transaction, replayed } = await (flow === undefined
    ? dependencies.transactions.create(tenant, initial, idempotencyKey)
    : createdFor(call, flow, initial));
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
 * Creates a transaction for a flow run. A missing scope and a wrong name create nothing; the repeat of a call gives the
 * transaction that it created, also when its flow is no longer active.
 */
async function createdFor(call: Call, flow: string, initial: InitialInput): Promise<Created> {
  call.requireAdditionalScope();
  const { dependencies, tenant, idempotencyKey } = call;
  const active = await orFallback(activeFlow(dependencies.flowStore, tenant, flow), () =>
    dependencies.transactions.findByIdempotencyKey(tenant, initial, idempotencyKey),
  );
  return 'transaction' in active ? active : dependencies.transactions.create(tenant, initial, idempotencyKey);
}

/** The transaction is there whatever becomes of its run: a refusal tells its id, and the same key goes on with it. */
async function startInitialRun({ dependencies, tenant, idempotencyKey, logRun }: Call, id: string, flow: string) {
  try {
    return await startFlowRun({ dependencies, tenant, id, logRun }, flow, idempotencyKey && `${idempotencyKey}/flow`);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new Problem(error.code, { ...error.extras, members: { ...error.extras.members, transactionId: id } });
  }
}
