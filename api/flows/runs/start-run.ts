import { z } from 'zod';
import type { RunPlan } from '../../../domain/flows/run';
import type { RunView } from '../../../domain/flows/view-run';
import { limits } from '../../../domain/transactions/limits';
import { orBusy, textLimitsOf } from '../compute/flow-compute';
import { flowInvalidProblem } from '../read-put-body';
import { runPlanOf } from './run-plan';
import { startFlow } from '../../../workflows/contract/commands';
import { Problem, withFallbackOnProblem } from '../../http/problem';
import { createIdProposer, earlierProposedIds } from '../../transactions/proposed-ids';
import { named } from '../../http/openapi/schema-of';
import { type ApiRoute, type Call, type Handler, withBody } from '../../http/route';
import { throwAsProblem } from '../../transactions/transactions';
import type { ProblemCode } from '../../http/problems';
import type { FlowDefinition } from '../../../domain/flows/definition';
import type { FlowStore } from '../catalog/flow-store';
import { type GivenValues, givenValues, readRunValues } from './run-values';
import { flowRun, headers, logRunAndBuildBody, runsPath } from './responses';

/** The names of the dependencies of a request that starts a flow run. */
export type StartNeeds =
  | 'biometricsSettings'
  | 'brands'
  | 'config'
  | 'confirmationSettings'
  | 'flowCompute'
  | 'flowStore'
  | 'keys'
  | 'sendingLimits'
  | 'termsOf'
  | 'transactions';

type StartCall = Pick<Call<StartNeeds>, 'dependencies' | 'tenant' | 'id' | 'hasScope' | 'logRun'>;

/**
 * Starts a flow run of the active version of a flow. `values`: what the caller gives for the values of the flow. `key`: the idempotency key. A retry with the same key returns the flow run of the
 * first request, even if the flow cannot start any more. Throws idempotency_conflict if the key has started a run of another flow, or with
 * other values.
 */
export async function startFlowRun(call: StartCall, name: string, key?: string, values?: GivenValues) {
  const { dependencies, tenant, id } = call;
  const planOrRun = await withFallbackOnProblem(planActiveFlow(call, name, key, values), async () =>
    key === undefined ? undefined : findStartedRun(call, key),
  );
  const run =
    'status' in planOrRun
      ? planOrRun
      : await throwAsProblem(
          dependencies.transactions.send({ tenant, id }, startFlow, {
            input: planOrRun,
            identity: values === undefined ? [name] : [name, values],
            idempotencyKey: key,
          }),
        );
  if (run.flow !== name) throw new Problem('idempotency_conflict');
  return logRunAndBuildBody(call, run);
}

/** Returns the plan for a run of the active version. Throws flow_invalid if the flow uses a template that was removed later. */
async function planActiveFlow(
  { dependencies, tenant, id, logRun }: StartCall,
  name: string,
  key?: string,
  given?: GivenValues,
): Promise<RunPlan> {
  const flow = await requireActiveFlow(dependencies.flowStore, tenant, name);
  logRun({ flow: flow.name, version: flow.version });
  const values = readRunValues(flow.values, given, dependencies.sendingLimits(tenant).linkDomains);
  const target = { tenant, id };
  const terms = await dependencies.termsOf(target);
  const brand = await dependencies.brands.of(tenant);
  try {
    const proposeId = createIdProposer(dependencies.keys, target, key);
    return runPlanOf(dependencies, tenant, terms, brand, flow, proposeId, values);
  } catch (error) {
    const input = { flow, ...(await textLimitsOf(dependencies, tenant)) };
    const issues = await orBusy(dependencies.flowCompute.run(tenant, 'checkSaved', input));
    if (issues.length === 0) throw error;
    throw flowInvalidProblem(issues);
  }
}

/** Finds the flow run that the key started. Undefined if there is none, or if the key is no longer valid. */
async function findStartedRun({ dependencies, tenant, id }: StartCall, key: string): Promise<RunView | undefined> {
  const target = { tenant, id };
  // This reads the workflow, not the record. The record has a flow run only after its first message was sent.
  const { flowRuns } = await dependencies.transactions.readLatest(target);
  // The id of a flow run depends on the key and the day of the first request. A key is valid for a day, so this day is today or yesterday.
  const runIds = earlierProposedIds(dependencies.keys, target, key, 'run');
  const run = flowRuns.find(({ runId }) => runIds.includes(runId));
  return run && Date.parse(run.startedAt) > Date.now() - limits.rememberedForMs ? run : undefined;
}

/** The problems of a request that starts a flow run. The request may also create the transaction. */
export const startProblems = [
  'idempotency_conflict',
  'flow_not_found',
  'flow_not_active',
  'flow_invalid',
  'transaction_denied',
  'flows_busy',
  'flow_running',
  'channel_busy',
  'run_limit_reached',
] as const satisfies readonly ProblemCode[];

/** Returns the version of a flow that new flow runs use. Throws flow_not_found, or flow_not_active if no version is active. */
export async function requireActiveFlow(store: FlowStore, tenant: string, name: string): Promise<FlowDefinition> {
  const flow = await store.findActive(tenant, name);
  if (flow) return flow;
  // If `source` is `code`, the flow is a built-in flow of another version of the service. Tenants cannot activate built-in flows, so the
  // problem is flow_not_found and not flow_not_active.
  const summary = await store.listVersions(tenant, name, { limit: 1 });
  if (summary?.source === 'api') throw new Problem('flow_not_active');
  throw new Problem('flow_not_found');
}

/** The body of POST …/flows/{name}. It may be empty. */
const startBody = named(
  'NewFlowRun',
  z.strictObject(
    { values: givenValues.optional().describe('What the messages of the flow show, if the flow has values.') },
    'must be an object',
  ),
);

/** POST …/flows/{name}: starts a flow run. Responds after the first step of the flow run has started. */
export const startRun: Handler<StartNeeds, z.output<typeof startBody>> = async (call) => {
  const run = await startFlowRun(call, String(call.request.params['name']), call.idempotencyKey, call.body.values);
  return {
    status: 201,
    headers: { ...headers, Location: `/v1/transaction/${call.id}/flows/runs/${run.runId}` },
    body: run,
  };
};

/** Starting a flow run; not in SPEC. */
export const startRunRoutes: readonly ApiRoute[] = [
  withBody({
    operationId: 'startFlowRun',
    method: 'post',
    path: `${runsPath}/{name}`,
    scope: 'confirmation:send',
    summary: 'Start a flow run; `awaited` shows what it waits for',
    body: () => startBody,
    example: {},
    responses: { 201: flowRun },
    provides: { runId: '$response.body#/runId' },
    problems: startProblems,
    responseHeaders: ['Location'],
    handler: startRun,
  }),
];
