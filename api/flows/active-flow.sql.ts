import type { FlowDefinition } from '../../domain/flows/definition';
import type { Pool } from '../../platform/postgres';
import type { Unversioned } from './flow-store';
import { type FlowKey, ownSql } from './flow-store.sql';

const activeSql = `
  select exists (${ownSql}) as own, (
    select json_build_object('version', v.version, 'definition', v.definition)
    from flow_activations a join flow_versions v using (tenant, name, version)
    where tenant = $1 and name = $2 and deleted_at is null order by a.id desc limit 1) as active`;

interface Found {
  own: boolean;
  active: { version: number; definition: Unversioned } | null;
}

/** Whether a tenant has a flow of its own by a name, and what is active of it. Who starts a run waits for this. */
export async function findActiveFlow(
  pool: Pool,
  { tenant, name }: FlowKey,
): Promise<{ own: boolean; active?: FlowDefinition }> {
  // Named, so that a connection plans it once.
  const query = { name: 'active-flow', text: activeSql, values: [tenant, name] };
  const { own, active } = (await pool.query<Found>(query)).rows[0] as Found;
  return { own, ...(active ? { active: { ...active.definition, version: active.version } } : {}) };
}
