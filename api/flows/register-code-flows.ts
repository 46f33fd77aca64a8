import type { FlowDefinition } from '../../domain/flows/definition';
import { FlowError } from '../../domain/flows/flow-error';
import { recordAudit } from '../../platform/audit';
import { inTransaction, type Pool } from '../../platform/postgres';
import { digestOf } from './digest-of';
import { flowOwner } from './flow-name';
import { codeTenant } from './flow-store.sql';

const actor = 'deployment';

const addSql = `
  insert into flow_versions (tenant, name, version, definition, digest, created_by) values ($1, $2, $3, $4, $5, $6)
  on conflict (tenant, name, version) do nothing returning version`;
const knownSql = 'select digest from flow_versions where tenant = $1 and name = $2 and version = $3';

/**
 * Keeps the flows of the code, so that every version which ever ran can still be shown. Any number of processes may do it
 * at once. Throws FlowError, and keeps nothing, when a version is not what it was at an earlier start.
 */
export async function registerCodeFlows(pool: Pool, flows: readonly FlowDefinition[]): Promise<void> {
  await inTransaction(pool, async (client) => {
    const changed: string[] = [];
    // In one order: two processes that start at once wait for each other, and never each for the other.
    for (const flow of flows.toSorted((left, right) => (left.name < right.name ? -1 : 1))) {
      const { version, ...definition } = flow;
      const of = [codeTenant, flow.name, version];
      const digest = digestOf(definition);
      const added = await client.query(addSql, [...of, JSON.stringify(definition), digest, actor]);
      const detail = { version, digest };
      if (added.rows.length > 0)
        await recordAudit(client, {
          tenant: codeTenant,
          owner: flowOwner(flow.name),
          actor,
          action: 'flow_version_added',
          detail,
        });
      else if ((await client.query<{ digest: string }>(knownSql, of)).rows[0]?.digest !== digest)
        changed.push(`${flow.name}: version ${version} was another definition before. Raise its version.`);
    }
    if (changed.length > 0) throw new FlowError(changed.join('\n'));
  });
}
