import type { FlowDefinition } from '../../../domain/flows/definition';
import { recordAudit } from '../../../platform/audit';
import { inTransaction, type Pool, type PoolClient } from '../../../platform/postgres';
import { Problem } from '../../http/problem';
import { digestOf } from './digest-of';
import { flowOwner, isFlowName, takenNames } from '../flow-name';
import type { FlowActivation, FlowStore, Once } from './flow-store';
import {
  type ActivationRow,
  addActivation,
  addVersion,
  deleteVersion,
  findActive,
  findEarlier,
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

/** A change that is asked for: `what` tells it from every other. */
interface Change {
  flow: FlowKey;
  key: string | undefined;
  what: readonly unknown[];
}

type Changes = Pick<FlowStore, 'put' | 'activate' | 'rollback' | 'remove'>;

/** What changes a store. `code`: the flows of this process by name. */
export function changeFlows(pool: Pool, code: ReadonlyMap<string, FlowDefinition>): Changes {
  /** All of it holds, with its entry in the audit log and its key, or nothing does. */
  const change = <Result extends object>(
    { flow, key, what }: Change,
    work: (client: PoolClient, isOwn: boolean) => Promise<Result>,
  ): Promise<Once<Result>> =>
    inTransaction(pool, async (client) => {
      await lockFlow(client, flow);
      const guarded = async () => {
        const isOwn = await hasOwn(client, flow);
        if (!isOwn && (code.has(flow.name) || takenNames.has(flow.name))) throw new Problem('flow_reserved');
        return work(client, isOwn);
      };
      if (key === undefined) return { ...(await guarded()), replayed: false };
      const repeatable = { tenant: flow.tenant, key, digest: digestOf([flow.name, ...what]) };
      const { result, replayed } = await oncePerKey(client, repeatable, guarded);
      return { ...result, replayed };
    });

  /** A change of a flow that the tenant has. */
  const changeOwn = <Result extends object>(asked: Change, work: (client: PoolClient) => Promise<Result>) => {
    if (!isFlowName(asked.flow.name)) throw new Problem('flow_not_found');
    return change(asked, (client, isOwn) => {
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
      return change({ flow, key, what: ['put', digest] }, async (client, isOwn) => {
        const [newest] = isOwn ? await findVersions(client, flow, { limit: 1 }) : [];
        if (newest?.digest === digest) return { ...versionOf(newest), created: false };
        const row = versionOf(await addVersion(client, flow, { definition, digest, by }));
        await record(client, flow, by, 'flow_version_added', { version: row.version, digest });
        return { ...row, created: true };
      });
    },
    async activate(tenant, name, version, by, key) {
      const flow = { tenant, name };
      return changeOwn({ flow, key, what: ['activate', version] }, async (client) => {
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
      return changeOwn({ flow, key, what: ['rollback'] }, async (client) => {
        const active = await findActive(client, flow);
        const back = active && (await findEarlier(client, flow, active.id));
        if (!active || !back) throw new Problem('flow_no_earlier_version');
        const row = await addActivation(client, flow, { ...back, by });
        await record(client, flow, by, 'flow_rolled_back', { version: back.version, previous: active.version });
        return activationOf(row, active.version);
      });
    },
    async remove(tenant, name, version, by, key) {
      const flow = { tenant, name };
      return changeOwn({ flow, key, what: ['remove', version] }, async (client) => {
        const isActive = (await findActive(client, flow))?.version === version;
        // The last of all may go: the flow is then out of service.
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
