import type { FlowDefinition } from '../../../domain/flows/definition';
import { recordAudit } from '../../../platform/audit';
import { inTransaction, type Pool, type PoolClient } from '../../../platform/postgres';
import { Problem } from '../../http/problem';
import { digestOf } from '../../temporal/canonical';
import { flowOwner, isFlowName, reservedNames } from '../flow-name';
import type { FlowActivation, FlowStore, Once } from './flow-store';
import { type ActivationRow, addActivation, findActive, findEarlier } from '../../../store/flows/flow-activations.sql';
import {
  addVersion,
  deleteVersion,
  findVersion,
  findVersions,
  type FlowKey,
  hasOwn,
  lockFlow,
} from '../../../store/flows/flow-versions.sql';
import { oncePerKey } from './once-per-key';
import { versionOf } from './read-flows';

const activationOf = (row: ActivationRow, previous?: number): FlowActivation => ({
  version: row.version,
  activatedAt: row.activatedAt.toISOString(),
  activatedBy: row.activatedBy,
  ...(previous === undefined ? {} : { previous }),
});

/** `identity`: requests with one key must have the same identity. */
interface Change {
  flow: FlowKey;
  key: string | undefined;
  identity: readonly unknown[];
}

type Changes = Pick<FlowStore, 'put' | 'activate' | 'rollback' | 'remove'>;

/** The changes of a flow store. `code`: the flows of this process by name. */
export function changeFlows(pool: Pool, code: ReadonlyMap<string, FlowDefinition>): Changes {
  /** Saves a change, its audit entry and its key in one database transaction. */
  const change = <Result extends object>(
    { flow, key, identity }: Change,
    work: (client: PoolClient, isOwn: boolean) => Promise<Result>,
  ): Promise<Once<Result>> =>
    inTransaction(pool, async (client) => {
      await lockFlow(client, flow);
      const apply = async () => {
        const isOwn = await hasOwn(client, flow);
        if (!isOwn && (code.has(flow.name) || reservedNames.has(flow.name))) throw new Problem('flow_reserved');
        return work(client, isOwn);
      };
      if (key === undefined) return { ...(await apply()), replayed: false };
      const request = { tenant: flow.tenant, key, digest: digestOf([flow.name, ...identity]) };
      const { result, replayed } = await oncePerKey(client, request, apply);
      return { ...result, replayed };
    });

  const changeOwn = <Result extends object>(request: Change, work: (client: PoolClient) => Promise<Result>) => {
    if (!isFlowName(request.flow.name)) throw new Problem('flow_not_found');
    return change(request, (client, isOwn) => {
      if (!isOwn) throw new Problem('flow_not_found');
      return work(client);
    });
  };

  const record = (client: PoolClient, { tenant, name }: FlowKey, actor: string, action: string, detail: object) =>
    recordAudit(client, { tenant, owner: flowOwner(name), actor, action, detail: { ...detail } });

  return {
    put(tenant, definition, by, key) {
      const flow = { tenant, name: definition.name };
      const digest = digestOf(definition);
      return change({ flow, key, identity: ['put', digest] }, async (client, isOwn) => {
        const [newest] = isOwn ? await findVersions(client, flow, { limit: 1 }) : [];
        if (newest?.digest === digest) return { ...versionOf(newest), created: false };
        const row = versionOf(await addVersion(client, flow, { definition, digest, by }));
        await record(client, flow, by, 'flow_version_added', { version: row.version, digest });
        return { ...row, created: true };
      });
    },
    async activate(tenant, name, version, by, key) {
      const flow = { tenant, name };
      return changeOwn({ flow, key, identity: ['activate', version] }, async (client) => {
        if (!(await findVersion(client, flow, version))) throw new Problem('flow_version_not_found');
        const active = await findActive(client, flow);
        if (active?.version === version) return activationOf(active);
        const row = await addActivation(client, flow, { version, by, earlier: active?.id ?? null });
        const previous = active ? { previous: active.version } : {};
        await record(client, flow, by, 'flow_activated', { version, ...previous });
        return activationOf(row, active?.version);
      });
    },
    async rollback(tenant, name, by, key) {
      const flow = { tenant, name };
      return changeOwn({ flow, key, identity: ['rollback'] }, async (client) => {
        const active = await findActive(client, flow);
        const earlier = active && (await findEarlier(client, flow, active.id));
        if (!active || !earlier) throw new Problem('flow_no_earlier_version');
        const row = await addActivation(client, flow, { ...earlier, by });
        await record(client, flow, by, 'flow_rolled_back', { version: earlier.version, previous: active.version });
        return activationOf(row, active.version);
      });
    },
    async remove(tenant, name, version, by, key) {
      const flow = { tenant, name };
      return changeOwn({ flow, key, identity: ['remove', version] }, async (client) => {
        const isActive = (await findActive(client, flow))?.version === version;
        // To remove a flow, its last version may be deleted while it is active.
        if (isActive && (await findVersions(client, flow, { limit: 2 })).length > 1)
          throw new Problem('flow_version_active');
        const deletedAt = await deleteVersion(client, flow, version, by);
        if (!deletedAt) throw new Problem('flow_version_not_found');
        await record(client, flow, by, 'flow_version_deleted', { version });
        return { version, deletedAt: deletedAt.toISOString(), deletedBy: by };
      });
    },
  };
}
