import type { Pool, PoolClient } from '../postgres';
import type { DataOwner } from '../keys/data-keys';

/**
 * The upload of one image. Its owner is a transaction. An upload is open until `takeParts` takes it: this function returns the bytes of the
 * upload once, and deletes its parts. `size`: the declared size. `received`: how much has arrived. Both are in bytes.
 */
export interface UploadRow {
  purpose: string;
  size: number;
  received: number;
}

const findSql = `
  select purpose, size, received from uploads where id = $1 and tenant = $2 and owner = $3 and taken_at is null`;

/** An open upload of an owner. Undefined if the owner has no upload with this id, or the upload was taken. */
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

const progressSql = `
  select purpose, size, received from uploads
  where id = $1 and tenant = $2 and owner = $3 and (taken_at is null or result is not null)`;

/** An upload of an owner that is open, or was taken and has a result. Undefined for any other upload. */
export async function findProgress(pool: Pool, id: string, imageOwner: DataOwner): Promise<UploadRow | undefined> {
  return (await pool.query<UploadRow>(progressSql, [id, imageOwner.tenant, imageOwner.owner])).rows[0];
}

const saveResultSql = `update uploads set result = $4 where id = $1 and tenant = $2 and owner = $3 and taken_at is not null`;

/** Saves the result of a taken upload. */
export async function saveUploadResult(pool: Pool, id: string, imageOwner: DataOwner, result: unknown): Promise<void> {
  await pool.query(saveResultSql, [id, imageOwner.tenant, imageOwner.owner, JSON.stringify(result)]);
}

const resultSql = `
  select purpose, result from uploads where id = $1 and tenant = $2 and owner = $3 and result is not null`;

/** The purpose and the saved result of an owner's taken upload. Undefined if no result is saved. */
export async function findUploadResult(
  pool: Pool,
  id: string,
  imageOwner: DataOwner,
): Promise<{ purpose: string; result: unknown } | undefined> {
  return (await pool.query<{ purpose: string; result: unknown }>(resultSql, [id, imageOwner.tenant, imageOwner.owner]))
    .rows[0];
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
const takePartSql = `delete from upload_parts where upload_id = $1 and at_offset = $2 returning bytes as sealed`;

/**
 * Takes an upload: deletes its parts, and yields them in order. Reads one part at a time, because the Postgres driver needs four times as
 * much memory as the result has bytes. The owner must be locked.
 */
export async function* takeParts(client: PoolClient, id: string): AsyncGenerator<{ offset: number; sealed: Buffer }> {
  await client.query(takeSql, [id]);
  const { rows: offsets } = await client.query<{ offset: number }>(offsetsSql, [id]);
  for (const { offset } of offsets) {
    const [part] = (await client.query<{ sealed: Buffer }>(takePartSql, [id, offset])).rows;
    if (part) yield { offset, sealed: part.sealed };
  }
}

const agedSql = `
  select tenant, owner from uploads where created_at < $1 group by tenant, owner order by min(created_at) limit $2`;

/** The owners of uploads that started before `startedBefore`. The owner of the oldest upload comes first. */
export async function findOwnersOfOldUploads(pool: Pool, startedBefore: Date, limit: number): Promise<DataOwner[]> {
  return (await pool.query<DataOwner>(agedSql, [startedBefore, limit])).rows;
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
