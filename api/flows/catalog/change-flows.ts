import type { FlowDefinition } from '../../../domain/flows/definition';
import { flowLimits } from '../../../domain/flows/bounds';
import { addAuditEntry } from '../../../platform/audit';
import { inTransaction, type Pool, type PoolClient } from '../../../platform/postgres/postgres';
import { Problem } from '../../http/problem';
import { digestOf } from '../../http/body/read-json';
import { flowOwner, isFlowName, reservedNames } from '../flow-body';
import type { ExpectedNewest, FlowActivation, FlowStore, FlowVersion, Replayable } from './flow-store';
import {
  type ActivationRow,
  addActivation,
  beginFlowRequest,
  findActivation,
  findFlowRequest,
  findRollbackTarget,
  type FlowRequest,
  saveFlowAnswer,
} from '../../../store/flows/flow-activations.sql';
import {
  addVersion,
  deleteVersion,
  findNewestVersion,
  findVersion,
  findVersions,
  hasOwnFlow,
  lockAndCountFlows,
  lockFlow,
  type TenantFlow,
} from '../../../store/flows/flow-versions.sql';
import { flowVersionOf } from './read-flows';

/** Converts the row of an activation. `previous`: the version that was active before. */
const activationOf = (row: ActivationRow, previous?: number): FlowActivation => ({
  version: row.version,
  activatedAt: row.activatedAt.toISOString(),
  activatedBy: row.activatedBy,
  ...(previous === undefined ? {} : { previous }),
});

/**
 * Throws flow_version_limit_reached if the flow has too many versions, and flow_limit_reached if the tenant has too many flows. The flow
 * must be locked.
 */
async function requireBelowLimits(client: PoolClient, flow: TenantFlow): Promise<void> {
  const newest = await findNewestVersion(client, flow);
  if (newest >= flowLimits.versions) throw new Problem('flow_version_limit_reached');
  if (newest === 0 && (await lockAndCountFlows(client, flow.tenant)) >= flowLimits.flowsPerTenant)
    throw new Problem('flow_limit_reached');
}

/** Throws flow_changed if the newest version is not as in `expected`. */
function requireExpected(newest: FlowVersion | undefined, expected: ExpectedNewest): void {
  const isExpected = expected === 'none' ? newest === undefined : newest?.digest === expected.digest;
  if (isExpected) return;
  throw new Problem('flow_changed', {
    members: newest ? { newest: newest.version, createdBy: newest.createdBy } : {},
  });
}

/** A request to change a flow. `key`: its Idempotency-Key. `identity`: values that must be equal in all requests with this key. */
interface ChangeRequest {
  flow: TenantFlow;
  key: string | undefined;
  identity: readonly unknown[];
}

type FlowChanges = Pick<FlowStore, 'put' | 'activate' | 'rollback' | 'deleteVersion'>;

/** Creates the methods of a flow store that change flows. `builtInFlows`: the built-in flows of this process by name. */
export function changeFlows(pool: Pool, builtInFlows: ReadonlyMap<string, FlowDefinition>): FlowChanges {
  /**
   * Saves a change, its audit entry and its key in one database transaction. `isOwnFlow`: whether the tenant has created a flow with this
   * name. Throws flow_reserved for a built-in flow.
   */
  const applyChange = <Result extends object>(
    { flow, key, identity }: ChangeRequest,
    work: (client: PoolClient, isOwnFlow: boolean) => Promise<Result>,
  ): Promise<Replayable<Result>> =>
    inTransaction(pool, async (client) => {
      await lockFlow(client, flow);
      const apply = async () => {
        const isOwnFlow = await hasOwnFlow(client, flow);
        if (!isOwnFlow && (builtInFlows.has(flow.name) || reservedNames.has(flow.name)))
          throw new Problem('flow_reserved');
        return work(client, isOwnFlow);
      };
      if (key === undefined) return { ...(await apply()), replayed: false };
      const request = { tenant: flow.tenant, key, digest: digestOf([flow.name, ...identity]) };
      const { result, replayed } = await runOncePerKey(client, request, apply);
      return { ...result, replayed };
    });

  /** Does the same as applyChange, but throws flow_not_found if the tenant has created no flow with this name. */
  const changeOwnFlow = <Result extends object>(
    request: ChangeRequest,
    work: (client: PoolClient) => Promise<Result>,
  ) => {
    if (!isFlowName(request.flow.name)) throw new Problem('flow_not_found');
    return applyChange(request, (client, isOwnFlow) => {
      if (!isOwnFlow) throw new Problem('flow_not_found');
      return work(client);
    });
  };

  const recordFlowAudit = (
    client: PoolClient,
    { tenant, name }: TenantFlow,
    actor: string,
    action: string,
    detail: object,
  ) => addAuditEntry(client, { tenant, owner: flowOwner(name), actor, action, detail: { ...detail } });

  return {
    put(tenant, definition, clientId, { key, expected } = {}) {
      const flow = { tenant, name: definition.name };
      const digest = digestOf(definition);
      return applyChange({ flow, key, identity: ['put', digest] }, async (client, isOwnFlow) => {
        const [newest] = isOwnFlow ? await findVersions(client, flow, { limit: 1 }) : [];
        // This comes before the check of `expected`, because the caller may repeat a request whose response was lost.
        if (newest?.digest === digest) return { ...flowVersionOf(newest), created: false };
        if (expected !== undefined) requireExpected(newest && flowVersionOf(newest), expected);
        await requireBelowLimits(client, flow);
        const row = flowVersionOf(await addVersion(client, flow, { definition, digest, by: clientId }));
        await recordFlowAudit(client, flow, clientId, 'flow_version_added', { version: row.version, digest });
        return { ...row, created: true };
      });
    },
    async activate(tenant, name, version, clientId, { key, expected } = {}) {
      const flow = { tenant, name };
      const identity = expected === undefined ? ['activate', version] : ['activate', version, expected];
      return changeOwnFlow({ flow, key, identity }, async (client) => {
        if (!(await findVersion(client, flow, version))) throw new Problem('flow_version_not_found');
        const active = await findActivation(client, flow);
        // This comes before the check of `expected`, because the caller may repeat a request whose response was lost.
        if (active?.version === version) return activationOf(active);
        if (expected !== undefined && (active?.version ?? null) !== expected)
          throw new Problem('flow_activation_changed', { members: active ? { active: active.version } : {} });
        const row = await addActivation(client, flow, { version, by: clientId, earlier: active?.id ?? null });
        const previous = active ? { previous: active.version } : {};
        await recordFlowAudit(client, flow, clientId, 'flow_activated', { version, ...previous });
        return activationOf(row, active?.version);
      });
    },
    async rollback(tenant, name, clientId, { key, expected } = {}) {
      const flow = { tenant, name };
      const identity = expected === undefined ? ['rollback'] : ['rollback', expected];
      return changeOwnFlow({ flow, key, identity }, async (client) => {
        const active = await findActivation(client, flow);
        const earlier = active && (await findRollbackTarget(client, flow, active.id));
        if (expected !== undefined && earlier?.version !== expected)
          throw new Problem('flow_activation_changed', { members: earlier ? { rollbackTo: earlier.version } : {} });
        if (!active || !earlier) throw new Problem('flow_no_earlier_version');
        const row = await addActivation(client, flow, { ...earlier, by: clientId });
        await recordFlowAudit(client, flow, clientId, 'flow_rolled_back', {
          version: earlier.version,
          previous: active.version,
        });
        return activationOf(row, active.version);
      });
    },
    async deleteVersion(tenant, name, version, clientId, key) {
      const flow = { tenant, name };
      return changeOwnFlow({ flow, key, identity: ['remove', version] }, async (client) => {
        const isActive = (await findActivation(client, flow))?.version === version;
        // The only version of a flow can be deleted while it is active. This removes the flow.
        if (isActive && (await findVersions(client, flow, { limit: 2 })).length > 1)
          throw new Problem('flow_version_active');
        const deletedAt = await deleteVersion(client, flow, version, clientId);
        if (!deletedAt) throw new Problem('flow_version_not_found');
        await recordFlowAudit(client, flow, clientId, 'flow_version_deleted', { version });
        return { version, deletedAt: deletedAt.toISOString(), deletedBy: clientId };
      });
    },
  };
}

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
