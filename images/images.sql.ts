import type { Pool, PoolClient } from '../platform/postgres/postgres';
import { type DataOwner, deleteDataKey, deleteKeysSql } from '../platform/keys/data-keys.sql';
import { hasNoUploads } from './uploads.sql';

const hasDataSql = `
  select where not ${hasNoUploads} or exists (
    select from images where tenant = $1 and owner = $2 and deleted_at is null and removed_at is null)`;

/** Destroys the image key of a transaction that has no images and no uploads left. The owner must be locked (see `lockOwner`). */
export async function destroyUnusedKey(client: PoolClient, { tenant, owner }: DataOwner): Promise<void> {
  const { rows } = await client.query(hasDataSql, [tenant, owner]);
  if (rows.length === 0) await deleteDataKey(client, { tenant, owner, purpose: 'images' });
}

const addSql = `
  insert into images (id, tenant, owner, kind, bytes, delete_after, link_id) values ($1, $2, $3, $4, $5, $6, $7)`;

/** Adds the row of an image. The object of the image (its sealed bytes in the image store) is not stored yet. */
export async function addImage(
  client: PoolClient,
  image: DataOwner & { id: string; linkId: string; kind: string; bytes: number; deleteAfter: Date },
): Promise<void> {
  const { id, tenant, owner, linkId, kind, bytes, deleteAfter } = image;
  await client.query(addSql, [id, tenant, owner, kind, bytes, deleteAfter, linkId]);
}

const storedSql = `update images set stored_at = now() where id = $1 and deleted_at is null`;

/** Marks an image as stored. Returns false if the image was erased in the meantime. */
export async function markImageStored(pool: Pool, id: string): Promise<boolean> {
  return (await pool.query(storedSql, [id])).rowCount === 1;
}

/** SQL: whether the image $1 of tenant $2 and owner $3 is readable. It is stored, not erased and not expired. */
const isReadable = `
  id = $1 and tenant = $2 and owner = $3 and stored_at is not null and deleted_at is null and delete_after > now()`;

const findSql = `select kind from images where ${isReadable}`;

/** The kind of an image, such as a selfie. Undefined if the owner has no readable image with this id. */
export async function findImageKind(pool: Pool, id: string, { tenant, owner }: DataOwner): Promise<string | undefined> {
  return (await pool.query<{ kind: string }>(findSql, [id, tenant, owner])).rows[0]?.kind;
}

const listSql = `
  select id, kind, created_at as "createdAt", delete_after as "deleteAfter" from images
  where tenant = $1 and owner = $2 and stored_at is not null and deleted_at is null and delete_after > now()
  order by created_at`;

/** The readable images of a transaction, oldest first. */
export async function listImages(
  pool: Pool,
  { tenant, owner }: DataOwner,
): Promise<{ id: string; kind: string; createdAt: Date; deleteAfter: Date }[]> {
  return (await pool.query(listSql, [tenant, owner])).rows;
}

const eraseDueSql = `
  update images set deleted_at = now()
  where tenant = $1 and owner = $2 and deleted_at is null and removed_at is null and delete_after <= $3
  returning stored_at is not null as "wasStored", link_id as "linkId"`;

/** SQL: which of the links $3 have no image left. */
const emptyLinksSql = `
  select link_id as "linkId" from unnest($3::text[]) as link_id where not exists (
    select from images where tenant = $1 and owner = $2 and images.link_id = link_id.link_id and deleted_at is null)`;

/** The images that were erased. `count`: how many were stored. `links`: the links that have no image left. */
export interface ErasedImages {
  count: number;
  links: string[];
}

/**
 * Marks images of an owner as erased, if they expire at `expiredBefore` or earlier. With `infinity`, marks all images of the owner. The
 * owner must be locked.
 */
export async function markImagesErased(
  client: PoolClient,
  { tenant, owner }: DataOwner,
  expiredBefore: Date | 'infinity',
): Promise<ErasedImages> {
  type Row = { wasStored: boolean; linkId: string | null };
  const { rows } = await client.query<Row>(eraseDueSql, [tenant, owner, expiredBefore]);
  const stored = rows.filter(({ wasStored }) => wasStored);
  const links = [...new Set(stored.flatMap(({ linkId }) => linkId ?? []))];
  const empty = await client.query<{ linkId: string }>(emptyLinksSql, [tenant, owner, links]);
  return { count: stored.length, links: empty.rows.map(({ linkId }) => linkId) };
}

const eraseOneSql = `
  update images set deleted_at = now() where id = $1 and tenant = $2 and owner = $3 and deleted_at is null`;

/** Marks one image of an owner as erased. Returns false if the owner has no image with this id. */
export async function markImageErased(client: PoolClient, id: string, { tenant, owner }: DataOwner): Promise<boolean> {
  return (await client.query(eraseOneSql, [id, tenant, owner])).rowCount === 1;
}

const dueSql = `
  select tenant, owner from images where delete_after <= $1 and deleted_at is null
    and (tenant, owner) not in (select * from unnest($3::text[], $4::text[]))
  group by tenant, owner order by min(delete_after) limit $2`;

/** Owners with expired images, the longest expired first. The owners in `skip` are left out. */
export async function findOwnersOfExpiredImages(
  pool: Pool,
  now: Date,
  limit: number,
  skip: readonly DataOwner[],
): Promise<DataOwner[]> {
  const skipped = [skip.map(({ tenant }) => tenant), skip.map(({ owner }) => owner)];
  return (await pool.query<DataOwner>(dueSql, [now, limit, ...skipped])).rows;
}

// An image can be erased while its object is being stored. So an object that was never marked as stored is removed only after two minutes:
// every `put` has ended by then. The object whose removal was tried longest ago comes first. So objects that cannot be removed do not block
// others.
const claimSql = (ownerCondition: string) => `
  with due as (
    select id, tried_at from images
    where deleted_at is not null and removed_at is null
      and (stored_at is not null or created_at < now() - interval '2 minutes')
      and ${ownerCondition}
    order by tried_at nulls first limit $1 for update skip locked
  ), claimed as (update images set tried_at = clock_timestamp() where id in (select id from due) returning id)
  select id from due join claimed using (id) order by due.tried_at nulls first, id`;

// There is one statement for all owners, and another for a single owner, because each needs another index.
const claimAllSql = claimSql('true');
const claimOfOwnerSql = claimSql('tenant = $2 and owner = $3');

/**
 * Claims at most `limit` erased images whose objects must be removed. `imageOwner`: the owner of the images. Undefined for the images of
 * all owners. The image whose removal was tried longest ago comes first.
 */
export async function claimErasedImages(
  pool: Pool,
  imageOwner: DataOwner | undefined,
  limit: number,
): Promise<string[]> {
  const { rows } = await (imageOwner
    ? pool.query<{ id: string }>(claimOfOwnerSql, [limit, imageOwner.tenant, imageOwner.owner])
    : pool.query<{ id: string }>(claimAllSql, [limit]));
  return rows.map(({ id }) => id);
}

const removedSql = `update images set removed_at = now() where id = $1`;

/** Marks the object of an erased image as removed. */
export async function markObjectRemoved(pool: Pool, id: string): Promise<void> {
  await pool.query(removedSql, [id]);
}

const failedSql = `update images set tried_at = clock_timestamp() where id = $1`;

/** Moves an erased image to the end of the queue of objects to remove. */
export async function postponeRemoval(pool: Pool, id: string): Promise<void> {
  await pool.query(failedSql, [id]);
}

const storedIdsSql = `select id from images where stored_at is not null and deleted_at is null order by id`;

/** The ids of all images that are stored and not erased. */
export async function findStoredImages(session: Pick<Pool, 'query'>): Promise<string[]> {
  return (await session.query<{ id: string }>(storedIdsSql)).rows.map(({ id }) => id);
}

const unusedKeysSql = deleteKeysSql(
  ['images'],
  `not exists (select from images where images.tenant = data_key.tenant and images.owner = data_key.owner
      and deleted_at is null and removed_at is null)
    and not exists (select from uploads where uploads.tenant = data_key.tenant and uploads.owner = data_key.owner)`,
);

/** Destroys all image keys that no image and no upload needs: older data keys may have brought them back. */
export async function destroyUnusedKeys(session: Pick<Pool, 'query'>): Promise<void> {
  await session.query(unusedKeysSql);
}
