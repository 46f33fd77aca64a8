import type { FlowDefinition } from '../../domain/flows/definition';
import type { Pool, PoolClient } from '../../platform/postgres/postgres';
import { hasRecentRunsSql, runningRunsSql, type TenantFlow } from '../transactions/flow-runs.sql';

/** A flow as its author writes it, without a version number. The service adds the number. */
export type UnversionedFlow = Omit<FlowDefinition, 'version'>;

export type { TenantFlow };

/** The largest value of the type `integer` in Postgres. */
export const versionMax = 2_147_483_647;

/** The tenant of the flows that are deployed with the code. No real tenant can have this name. */
export const builtInTenant = '*';

/** A flow version without its definition. */
export interface VersionRow {
  tenant: string;
  version: number;
  digest: string;
  createdAt: Date;
  createdBy: string;
}

/** A flow in a list of flows. */
export interface FlowSummaryRow {
  name: string;
  tenant: string;
  title: string | null;
  /** Number of the newest version. */
  newest: number;
  /** Number of the active version. Null if no version is active. */
  active: number | null;
  deletedAt: Date | null;
  /** How many flow runs of a deleted flow have not ended. Null if the flow is not deleted. */
  running: number | null;
}

/** A flow version in a list of versions. */
export interface VersionSummaryRow extends VersionRow {
  title: string | null;
  deletedAt: Date | null;
  deletedBy: string | null;
  /** How many flow runs of a deleted version have not ended. Null if the version is not deleted. */
  running: number | null;
}

/** A flow version with its definition. */
export interface FullVersionRow extends VersionRow {
  definition: UnversionedFlow;
  deletedAt: Date | null;
  deletedBy: string | null;
}

export type PoolOrClient = Pool | PoolClient;

const lockSql = `select pg_advisory_xact_lock(hashtextextended('flows/' || $1 || '/' || $2, 0))`;

/** Locks a flow until the database transaction ends. Other changes of this flow wait until then. */
export async function lockFlow(client: PoolClient, { tenant, name }: TenantFlow): Promise<void> {
  await client.query(lockSql, [tenant, name]);
}

const columns = `tenant, version, digest, created_at as "createdAt", created_by as "createdBy"`;

const deletedAtAndByColumns = 'deleted_at as "deletedAt", deleted_by as "deletedBy"';

/** SQL: finds a row if the tenant has its own flow with this name. Only versions that are not deleted count. */
export const ownFlowSql = 'select from flow_versions where tenant = $1 and name = $2 and deleted_at is null limit 1';

/** Whether the tenant has its own flow with this name. */
export async function hasOwnFlow(database: PoolOrClient, { tenant, name }: TenantFlow): Promise<boolean> {
  return (await database.query(ownFlowSql, [tenant, name])).rows.length > 0;
}

// SQL: the flow that a tenant sees under a name. If the tenant has its own flow, it does not see the flow that is deployed with the code.
const isOwnOrBuiltInSql = `
  tenant = coalesce((select tenant from flow_versions
    where tenant in ($1, '${builtInTenant}') and name = $2 and deleted_at is null
    order by tenant = '${builtInTenant}' limit 1), $1)
  and name = $2`;

/**
 * SQL: whether a version is shown. `deleted`: an SQL expression that says whether to show also deleted versions that have running or recent
 * flow runs.
 */
const isVisibleSql = (deleted: string) =>
  `(v.deleted_at is null or (${deleted} and ${hasRecentRunsSql('v.name', 'v.version')}))`;

const deletedAtAndRunningColumns = (table: string, runningSql: string) => `${table}.deleted_at as "deletedAt",
  case when ${table}.deleted_at is not null then ${runningSql} end as running`;

/** The versions of a flow that a tenant can see, newest first. `highestVersion`: the highest version to return. */
export async function findVersions(
  database: PoolOrClient,
  { tenant, name }: TenantFlow,
  {
    highestVersion = versionMax,
    limit,
    deleted = false,
  }: { highestVersion?: number; limit: number; deleted?: boolean },
): Promise<VersionSummaryRow[]> {
  const sql = `
    select ${columns}, title, deleted_by as "deletedBy",
      ${deletedAtAndRunningColumns('v', runningRunsSql('v.name', 'v.version'))}
    from flow_versions as v where ${isOwnOrBuiltInSql} and ${isVisibleSql('$5')} and version <= $3 order by version desc limit $4`;
  return (await database.query<VersionSummaryRow>(sql, [tenant, name, highestVersion, limit, deleted])).rows;
}

/** One version of a flow that a tenant can see. */
export async function findVersion(
  database: PoolOrClient,
  { tenant, name }: TenantFlow,
  version: number,
): Promise<FullVersionRow | undefined> {
  const sql = `select ${columns}, definition, ${deletedAtAndByColumns} from flow_versions
    where ${isOwnOrBuiltInSql} and deleted_at is null and version = $3`;
  return (await database.query<FullVersionRow>(sql, [tenant, name, version])).rows[0];
}

/** One version of a flow, also if it is deleted. */
export async function findAnyVersion(
  database: PoolOrClient,
  { tenant, name }: TenantFlow,
  version: number,
): Promise<FullVersionRow | undefined> {
  const sql = `select ${columns}, definition, ${deletedAtAndByColumns} from flow_versions
    where tenant in ($1, '${builtInTenant}') and name = $2 and version = $3
    order by deleted_at is not null, tenant = '${builtInTenant}' limit 1`;
  return (await database.query<FullVersionRow>(sql, [tenant, name, version])).rows[0];
}

const shownColumns = 'v.tenant, v.title, v.version as newest, v.deleted_at';

// Reads one version of each flow by index, however many versions the flows have. A flow that is not deleted comes before a deleted one, and
// a flow of the tenant before one that is deployed with the code.
const summariesSql = (nameCondition: string) => `
  with names as (
    select name from flow_versions where tenant = $1 and version = 1 and ${nameCondition}
    union select name from flow_versions where tenant = '${builtInTenant}' and ${nameCondition}),
  named as (
    select names.name, shown.* from names cross join lateral (
      select * from (
        (select 1 as place, ${shownColumns} from flow_versions as v
          where tenant = $1 and v.name = names.name and deleted_at is null order by version desc limit 1)
        union all
        (select 2, ${shownColumns} from flow_versions as v
          where tenant = '${builtInTenant}' and v.name = names.name and deleted_at is null order by version desc limit 1)
        union all
        (select 3, ${shownColumns} from flow_versions as v
          where $4 and tenant = $1 and v.name = names.name and deleted_at is not null and ${hasRecentRunsSql('v.name', 'v.version')}
          order by version desc limit 1)) as version_shown
      order by place limit 1) as shown
    order by names.name limit $3)
  select named.name, named.tenant, named.newest, active.version as active, ${deletedAtAndRunningColumns('named', runningRunsSql('named.name'))},
    case when active.version is null then named.title else active.title end as title
  from named left join lateral (
    select a.version, v.title
    from flow_activations as a join flow_versions as v using (tenant, name, version)
    where a.tenant = named.tenant and a.name = named.name and v.deleted_at is null order by a.id desc limit 1) as active on true
  order by name`;

/** `deleted`: whether to list also deleted flows that have running or recent flow runs. */
interface ListOptions {
  limit: number;
  deleted?: boolean;
}

/** The flows that a tenant can see, sorted by name. Only names that come after `after`. */
export async function findFlows(
  pool: Pool,
  tenant: string,
  { after, limit, deleted = false }: ListOptions & { after: string },
): Promise<FlowSummaryRow[]> {
  return (await pool.query<FlowSummaryRow>(summariesSql('name > $2'), [tenant, after, limit, deleted])).rows;
}

/** A flow that a tenant can see. For `deleted`, see `ListOptions`. */
export async function findFlow(
  pool: Pool,
  { tenant, name }: TenantFlow,
  deleted = false,
): Promise<FlowSummaryRow | undefined> {
  return (await pool.query<FlowSummaryRow>(summariesSql('name = $2'), [tenant, name, 1, deleted])).rows[0];
}

// The new number is one more than the highest number. The numbers of deleted versions count too, because their rows are never removed.
const addSql = `
  insert into flow_versions (tenant, name, version, definition, digest, created_by)
  select $1, $2, coalesce(max(version), 0) + 1, $3, $4, $5 from flow_versions where tenant = $1 and name = $2
  returning ${columns}`;

/** Adds the next version of a tenant's flow. The flow must be locked. */
export async function addVersion(
  client: PoolClient,
  { tenant, name }: TenantFlow,
  { definition, digest, by }: { definition: UnversionedFlow; digest: string; by: string },
): Promise<VersionRow> {
  const { rows } = await client.query<VersionRow>(addSql, [tenant, name, JSON.stringify(definition), digest, by]);
  return rows[0] as VersionRow;
}

const countFlowsSql = `select count(*)::int as flows from flow_versions where tenant = $1 and version = 1`;
const lockTenantSql = `select pg_advisory_xact_lock(hashtextextended('flows/' || $1, 0))`;

/**
 * Locks the addition of flows of a tenant until the database transaction ends. Returns the number of flows that the tenant has ever added.
 * Each of them has a row with version 1, because rows are never removed.
 */
export async function lockAndCountFlows(client: PoolClient, tenant: string): Promise<number> {
  await client.query(lockTenantSql, [tenant]);
  return (await client.query<{ flows: number }>(countFlowsSql, [tenant])).rows[0]?.flows ?? 0;
}

const newestVersionSql = `select max(version) as newest from flow_versions where tenant = $1 and name = $2`;

/** The number of the newest version of a tenant's flow, also if this version is deleted. 0 if the flow was never added. */
export async function findNewestVersion(client: PoolClient, { tenant, name }: TenantFlow): Promise<number> {
  return (await client.query<{ newest: number | null }>(newestVersionSql, [tenant, name])).rows[0]?.newest ?? 0;
}

const addBuiltInSql = `
  insert into flow_versions (tenant, name, version, definition, digest, created_by)
  values ('${builtInTenant}', $1, $2, $3, $4, $5) on conflict (tenant, name, version) do nothing returning version`;
const builtInDigestSql = `
  select digest from flow_versions where tenant = '${builtInTenant}' and name = $1 and version = $2`;

/**
 * Adds a version of a flow that is deployed with the code. Returns `known` if the version already exists with the same definition, and
 * `changed` if it already exists with another definition. An existing definition stays.
 */
export async function addBuiltInVersion(
  client: PoolClient,
  { version, ...definition }: FlowDefinition,
  { digest, by }: { digest: string; by: string },
): Promise<'added' | 'known' | 'changed'> {
  const { name } = definition;
  const added = await client.query(addBuiltInSql, [name, version, JSON.stringify(definition), digest, by]);
  if (added.rows.length > 0) return 'added';
  const { rows } = await client.query<{ digest: string }>(builtInDigestSql, [name, version]);
  return rows[0]?.digest === digest ? 'known' : 'changed';
}

const deleteSql = `
  update flow_versions set deleted_at = now(), deleted_by = $4
  where tenant = $1 and name = $2 and version = $3 and deleted_at is null returning deleted_at as "deletedAt"`;

/**
 * Marks a version of a tenant's flow as deleted. The flow must be locked. Returns the time of the deletion. Undefined if there is no such
 * version.
 */
export async function deleteVersion(
  client: PoolClient,
  { tenant, name }: TenantFlow,
  version: number,
  deletedBy: string,
): Promise<Date | undefined> {
  return (await client.query<{ deletedAt: Date }>(deleteSql, [tenant, name, version, deletedBy])).rows[0]?.deletedAt;
}
