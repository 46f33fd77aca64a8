import type { FlowDefinition } from '../../domain/flows/definition';
import type { Pool, PoolClient } from '../../platform/postgres';
import type { FlowKey } from '../record/flow-runs.sql';
import { type Database, ownSql, type Unversioned } from './flow-versions.sql';

export interface ActivationRow {
  id: string;
  version: number;
  activatedAt: Date;
  activatedBy: string;
  earlier: string | null;
}

const activation = `id, version, activated_at as "activatedAt", activated_by as "activatedBy", earlier`;

/** The active version of a tenant's own flow; undefined after its deletion. */
export async function findActive(database: Database, { tenant, name }: FlowKey): Promise<ActivationRow | undefined> {
  const sql = `select ${activation} from flow_activations join flow_versions using (tenant, name, version)
    where tenant = $1 and name = $2 and deleted_at is null order by id desc limit 1`;
  return (await database.query<ActivationRow>(sql, [tenant, name])).rows[0];
}

const activateSql = `
  insert into flow_activations (tenant, name, version, activated_by, earlier) values ($1, $2, $3, $4, $5)
  returning ${activation}`;

/** Makes a version active. The flow must be locked. */
export async function addActivation(
  client: PoolClient,
  { tenant, name }: FlowKey,
  { version, by, earlier }: { version: number; by: string; earlier: string | null },
): Promise<ActivationRow> {
  const { rows } = await client.query<ActivationRow>(activateSql, [tenant, name, version, by, earlier]);
  return rows[0] as ActivationRow;
}

const earlierSql = `
  with recursive back (id, version, earlier, steps) as (
    select id, version, earlier, 0 from flow_activations where id = $3
    union all
    select a.id, a.version, a.earlier, back.steps + 1 from back join flow_activations a on a.id = back.earlier)
  select back.version, back.earlier from back join flow_versions v on v.version = back.version
  where v.tenant = $1 and v.name = $2 and v.deleted_at is null
    and v.version <> (select version from flow_activations where id = $3)
  order by back.steps limit 1`;

/** The target of a rollback from an activation: the version that was active before, skipping deleted ones. */
export async function findEarlier(
  client: PoolClient,
  { tenant, name }: FlowKey,
  from: string,
): Promise<Pick<ActivationRow, 'version' | 'earlier'> | undefined> {
  return (await client.query<Pick<ActivationRow, 'version' | 'earlier'>>(earlierSql, [tenant, name, from])).rows[0];
}

const activeSql = `
  select exists (${ownSql}) as own, (
    select json_build_object('version', v.version, 'definition', v.definition)
    from flow_activations a join flow_versions v using (tenant, name, version)
    where tenant = $1 and name = $2 and deleted_at is null order by a.id desc limit 1) as active`;

interface Found {
  own: boolean;
  active: { version: number; definition: Unversioned } | null;
}

/** Whether a tenant has its own flow of a name, and its active version. Every start of a run waits for this. */
export async function findActiveFlow(
  pool: Pool,
  { tenant, name }: FlowKey,
): Promise<{ own: boolean; active?: FlowDefinition }> {
  // Named, so that a connection plans it once.
  const query = { name: 'active-flow', text: activeSql, values: [tenant, name] };
  const { own, active } = (await pool.query<Found>(query)).rows[0] as Found;
  return { own, ...(active ? { active: { ...active.definition, version: active.version } } : {}) };
}
