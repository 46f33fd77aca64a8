import type { Pool, PoolClient } from '../platform/postgres/postgres';
import type { DataOwner } from '../platform/keys/data-keys';

/**
 * How long a process may take to decode and save the image of an upload that it has taken. The decoder gets 20 s, and the image store 15 s.
 * If there is no result after this time, the process has died.
 */
const takenForSeconds = 60;

/**
 * The upload of one image. Its owner is a transaction. `size`: the declared size. `received`: how much has arrived. Both are in bytes.
 */
export interface UploadRow {
  purpose: string;
  size: number;
  received: number;
}

/** SQL: whether a process works on the upload, which has no result yet. */
const isTakenSql = `(result is null and taken_at is not null and taken_at > now() - interval '${takenForSeconds} seconds')`;

const findSql = `
  select purpose, size, received from uploads
  where id = $1 and tenant = $2 and owner = $3 and result is null and not ${isTakenSql}`;

/** An open upload of an owner. Undefined if the owner has no upload with this id, the upload has a result, or a process works on it. */
export async function findUpload(
  database: Pool | PoolClient,
  id: string,
  imageOwner: DataOwner,
): Promise<UploadRow | undefined> {
  return (await database.query<UploadRow>(findSql, [id, imageOwner.tenant, imageOwner.owner])).rows[0];
}

const countSql = `
  select count(*) filter (where taken_at > $3)::int as taken, count(*) filter (where taken_at is null)::int as open
  from uploads where tenant = $1 and owner = $2`;

/** How many uploads of an owner were taken after `takenAfter`, and how many are open. */
export async function countUploads(
  client: PoolClient,
  { tenant, owner }: DataOwner,
  takenAfter: Date,
): Promise<{ taken: number; open: number }> {
  const { rows } = await client.query<{ taken: number; open: number }>(countSql, [tenant, owner, takenAfter]);
  return rows[0] ?? { taken: 0, open: 0 };
}

/** What happened to an upload. */
export interface UploadOutcome extends UploadRow {
  /** The saved result; null if there is none. */
  result: unknown;
  /** Whether a process works on the upload, which has no result yet. */
  isTaken: boolean;
}

const outcomeSql = `
  select purpose, size, received, result, ${isTakenSql} as "isTaken" from uploads
  where id = $1 and tenant = $2 and owner = $3`;

/** An upload of an owner, in every state. Undefined if the owner has no upload with this id. */
export async function findOutcome(pool: Pool, id: string, imageOwner: DataOwner): Promise<UploadOutcome | undefined> {
  return (await pool.query<UploadOutcome>(outcomeSql, [id, imageOwner.tenant, imageOwner.owner])).rows[0];
}

const finishSql = `
  with finished as (
      update uploads set result = $4 where id = $1 and tenant = $2 and owner = $3 and taken_at is not null returning id)
  delete from upload_parts where upload_id in (select id from finished)`;

/** Saves the result of a taken upload, and deletes its parts. */
export async function finishUpload(pool: Pool, id: string, imageOwner: DataOwner, result: object): Promise<void> {
  await pool.query(finishSql, [id, imageOwner.tenant, imageOwner.owner, JSON.stringify(result)]);
}

const releaseSql = `
  update uploads set taken_at = null where id = $1 and tenant = $2 and owner = $3 and result is null`;

/** Opens a taken upload again. Does nothing if the upload has a result. */
export async function releaseUpload(pool: Pool, id: string, imageOwner: DataOwner): Promise<void> {
  await pool.query(releaseSql, [id, imageOwner.tenant, imageOwner.owner]);
}

const dropSql = `delete from uploads where tenant = $1 and owner = $2`;

/** Deletes all uploads of an owner. */
export async function deleteUploads(client: PoolClient, { tenant, owner }: DataOwner): Promise<void> {
  await client.query(dropSql, [tenant, owner]);
}

/** SQL: whether tenant $1 and owner $2 have no upload left. */
export const hasNoUploads = `not exists (select from uploads where tenant = $1 and owner = $2)`;

const addSql = `insert into uploads (id, tenant, owner, purpose, size) values ($1, $2, $3, $4, $5)`;

/** Adds an upload that has received nothing yet. */
export async function addUpload(
  client: PoolClient,
  { id, tenant, owner, purpose, size }: DataOwner & { id: string; purpose: string; size: number },
): Promise<void> {
  await client.query(addSql, [id, tenant, owner, purpose, size]);
}

const dropOldestSql = `
  delete from uploads where id in (
    select id from uploads where tenant = $1 and owner = $2 and taken_at is null
    order by created_at desc, id offset $3
  )`;

/** Deletes the open uploads of an owner, except the newest. `keepNewest`: how many are kept. The owner must be locked. */
export async function deleteOldestUploads(
  client: PoolClient,
  { tenant, owner }: DataOwner,
  keepNewest: number,
): Promise<void> {
  await client.query(dropOldestSql, [tenant, owner, keepNewest]);
}

const hasPartSql = `select from upload_parts where upload_id = $1 and at_offset = $2 and size = $3`;

/** Whether an upload already has a part with this offset and size. */
export async function hasPart(client: PoolClient, id: string, offset: number, size: number): Promise<boolean> {
  return (await client.query(hasPartSql, [id, offset, size])).rows.length > 0;
}

const addPartSql = `
  with added as (insert into upload_parts (upload_id, at_offset, size, bytes) values ($1, $2, $3, $4))
  update uploads set received = received + $3 where id = $1`;

/** Adds the next part of an upload. The owner must be locked. */
export async function addPart(
  client: PoolClient,
  { id, offset, size, sealed }: { id: string; offset: number; size: number; sealed: Buffer },
): Promise<void> {
  await client.query(addPartSql, [id, offset, size, sealed]);
}

const takeSql = `update uploads set taken_at = now() where id = $1`;
const offsetsSql = `select at_offset as "offset" from upload_parts where upload_id = $1 order by at_offset`;
const readPartSql = `select bytes as sealed from upload_parts where upload_id = $1 and at_offset = $2`;

/**
 * Takes an upload, and yields its parts in order. Reads one part at a time, because the Postgres driver needs four times as much memory as
 * the result has bytes. The owner must be locked.
 */
export async function* takeParts(client: PoolClient, id: string): AsyncGenerator<{ offset: number; sealed: Buffer }> {
  await client.query(takeSql, [id]);
  const { rows: offsets } = await client.query<{ offset: number }>(offsetsSql, [id]);
  for (const { offset } of offsets) {
    const [part] = (await client.query<{ sealed: Buffer }>(readPartSql, [id, offset])).rows;
    if (part) yield { offset, sealed: part.sealed };
  }
}

const deleteSql = `delete from uploads where id = $1`;

/** Deletes an upload with its parts. */
export async function deleteUpload(client: PoolClient, id: string): Promise<void> {
  await client.query(deleteSql, [id]);
}

const agedSql = `
  select tenant, owner from uploads where created_at < $1
    and (tenant, owner) not in (select * from unnest($3::text[], $4::text[]))
  group by tenant, owner order by min(created_at) limit $2`;

/** The owners of uploads that started before `startedBefore`. The owner of the oldest upload comes first. The owners in `skip` are left out. */
export async function findOwnersOfOldUploads(
  pool: Pool,
  startedBefore: Date,
  limit: number,
  skip: readonly DataOwner[],
): Promise<DataOwner[]> {
  const skipped = [skip.map(({ tenant }) => tenant), skip.map(({ owner }) => owner)];
  return (await pool.query<DataOwner>(agedSql, [startedBefore, limit, ...skipped])).rows;
}

const dropAgedSql = `delete from uploads where tenant = $1 and owner = $2 and created_at < $3`;

/** Deletes the uploads of an owner that started before `startedBefore`. Returns their number. */
export async function deleteOldUploads(
  client: PoolClient,
  { tenant, owner }: DataOwner,
  startedBefore: Date,
): Promise<number> {
  return (await client.query(dropAgedSql, [tenant, owner, startedBefore])).rowCount ?? 0;
}

const lockSql = `select pg_advisory_xact_lock(hashtextextended('images/' || $1 || '/' || $2, 0))`;

/**
 * Locks the images of one transaction until the database transaction ends. Other changes of these images wait. `owner`: the id of the
 * transaction.
 */
export async function lockOwner(client: PoolClient, { tenant, owner }: DataOwner): Promise<void> {
  await client.query(lockSql, [tenant, owner]);
}

const tryLockSql = `select pg_try_advisory_xact_lock(hashtextextended('images/' || $1 || '/' || $2, 0)) as locked`;

/**
 * Like lockOwner, but does not wait: returns false at once if the lock is taken. A waiting request keeps its connection, so many requests
 * for one transaction could use all connections.
 */
export async function tryLockOwner(client: PoolClient, { tenant, owner }: DataOwner): Promise<boolean> {
  return (await client.query<{ locked: boolean }>(tryLockSql, [tenant, owner])).rows[0]?.locked === true;
}
