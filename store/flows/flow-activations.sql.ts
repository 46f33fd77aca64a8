import type { FlowDefinition } from '../../domain/flows/definition';
import { deleteInBatches, type Pool, type PoolClient } from '../../platform/postgres/postgres';
import type { TenantFlow } from '../transactions/flow-runs.sql';
import { ownFlowSql, type PoolOrClient, type UnversionedFlow } from './flow-versions.sql';

/** One activation of a version of a flow. */
export interface ActivationRow {
  id: string;
  version: number;
  activatedAt: Date;
  activatedBy: string;
  /** Id of the activation to which a rollback from this activation returns. Null if there is none. */
  earlier: string | null;
}

const activationColumns = `id, version, activated_at as "activatedAt", activated_by as "activatedBy", earlier`;

/** The newest activation of a tenant's own flow. Activations of deleted versions do not count. Undefined if there is none. */
export async function findActivation(
  database: PoolOrClient,
  { tenant, name }: TenantFlow,
): Promise<ActivationRow | undefined> {
  const sql = `select ${activationColumns} from flow_activations join flow_versions using (tenant, name, version)
    where tenant = $1 and name = $2 and deleted_at is null order by id desc limit 1`;
  return (await database.query<ActivationRow>(sql, [tenant, name])).rows[0];
}

const activateSql = `
  insert into flow_activations (tenant, name, version, activated_by, earlier) values ($1, $2, $3, $4, $5)
  returning ${activationColumns}`;

/** Makes a version active. The flow must be locked. */
export async function addActivation(
  client: PoolClient,
  { tenant, name }: TenantFlow,
  { version, by, earlier }: { version: number; by: string; earlier: string | null },
): Promise<ActivationRow> {
  const { rows } = await client.query<ActivationRow>(activateSql, [tenant, name, version, by, earlier]);
  return rows[0] as ActivationRow;
}

const rollbackTargetSql = `
  with recursive back (id, version, earlier, steps) as (
    select id, version, earlier, 0 from flow_activations where id = $3
    union all
    select a.id, a.version, a.earlier, back.steps + 1 from back join flow_activations a on a.id = back.earlier)
  select back.version, back.earlier from back join flow_versions v on v.version = back.version
  where v.tenant = $1 and v.name = $2 and v.deleted_at is null
    and v.version <> (select version from flow_activations where id = $3)
  order by back.steps limit 1`;

/**
 * Finds the version to which a rollback from an activation returns. Goes back through the earlier activations, to the first activation
 * whose version is different and not deleted. `earlier`: the activation to which a further rollback returns.
 */
export async function findRollbackTarget(
  client: PoolOrClient,
  { tenant, name }: TenantFlow,
  activationId: string,
): Promise<Pick<ActivationRow, 'version' | 'earlier'> | undefined> {
  return (
    await client.query<Pick<ActivationRow, 'version' | 'earlier'>>(rollbackTargetSql, [tenant, name, activationId])
  ).rows[0];
}

const activeFlowSql = `
  select exists (${ownFlowSql}) as own, (
    select json_build_object('version', v.version, 'definition', v.definition)
    from flow_activations a join flow_versions v using (tenant, name, version)
    where tenant = $1 and name = $2 and deleted_at is null order by a.id desc limit 1) as active`;

interface ActiveFlowRow {
  own: boolean;
  active: { version: number; definition: UnversionedFlow } | null;
}

/**
 * Finds whether a tenant has its own flow with this name, and the active version of this flow. Uses one query, because every start of a
 * flow run waits for it.
 */
export async function findActiveFlow(
  pool: Pool,
  { tenant, name }: TenantFlow,
): Promise<{ hasOwnFlow: boolean; active?: FlowDefinition }> {
  const { rows } = await pool.query<ActiveFlowRow>(activeFlowSql, [tenant, name]);
  const { own, active } = rows[0] as ActiveFlowRow;
  return { hasOwnFlow: own, ...(active ? { active: { ...active.definition, version: active.version } } : {}) };
}

/** How long a repeat with the same idempotency key gets the first response. It is the same time in the whole API. */
const retentionPeriod = '24 hours';

/** A request with an idempotency key that changes a flow. `digest`: digest of the whole request. Another request has another digest. */
export interface FlowRequest {
  tenant: string;
  key: string;
  digest: string;
}

// A concurrent repeat waits here until the first request has succeeded or failed.
const beginSql = `
  insert into flow_requests as known (tenant, key, digest) values ($1, $2, $3)
  on conflict (tenant, key) do update set digest = excluded.digest, answer = null, at = now()
    where known.at < now() - interval '${retentionPeriod}'
  returning key`;

/** Saves the idempotency key of a request. Returns whether the key is new. A key that has expired is new again. */
export async function beginFlowRequest(client: PoolClient, { tenant, key, digest }: FlowRequest): Promise<boolean> {
  return (await client.query(beginSql, [tenant, key, digest])).rows.length > 0;
}

const findSql = 'select digest, answer from flow_requests where tenant = $1 and key = $2';

/** Finds the digest and the response of the request with an idempotency key. `answer` is null until the response is saved. */
export async function findFlowRequest(
  client: PoolClient,
  { tenant, key }: Pick<FlowRequest, 'tenant' | 'key'>,
): Promise<{ digest: string; answer: unknown } | undefined> {
  return (await client.query<{ digest: string; answer: unknown }>(findSql, [tenant, key])).rows[0];
}

const answerSql = 'update flow_requests set answer = $3 where tenant = $1 and key = $2';

/** Saves the response for repeats, as plain JSON. */
export async function saveFlowAnswer(
  client: PoolClient,
  { tenant, key }: Pick<FlowRequest, 'tenant' | 'key'>,
  answer: unknown,
): Promise<void> {
  await client.query(answerSql, [tenant, key, JSON.stringify(answer)]);
}

/** Deletes expired idempotency keys. */
export async function deleteOldFlowRequests(pool: Pool): Promise<void> {
  await deleteInBatches(pool, 'flow_requests', `at < now() - interval '${retentionPeriod}'`);
}
