import { type ListKind, type ListName, listEntriesPerTenant } from '../../domain/lists/list-entries';
import { deleteInBatches, type Pool, type PoolClient } from '../../platform/postgres/postgres';
import type { ListedValue } from './listed-values';

/** An entry of a deny or allow list. `shown`: the value as callers read it. `expiresAt`: null if the entry has no end. */
export interface ListEntry extends Pick<ListedValue, 'kind' | 'shown'> {
  id: string;
  list: ListName;
  reason: string;
  addedBy: string;
  createdAt: Date;
  expiresAt: Date | null;
}

const columns = `
  id, list, kind, shown, reason, added_by as "addedBy", created_at as "createdAt", expires_at as "expiresAt"`;

const isActiveSql = `(expires_at is null or expires_at > now())`;

const listSql = `
  select ${columns} from list_entries
  where tenant = $1 and ${isActiveSql} and ($2::text is null or list = $2) and ($3::text is null or kind = $3)
    and ($4::timestamptz is null or (created_at, id) < ($4, $5::uuid))
  order by created_at desc, id desc limit $6`;

/** The active entries of a tenant, newest first. `after`: the position of the last entry of the previous page. */
export async function findListEntries(
  pool: Pool,
  tenant: string,
  filter: { list?: ListName | undefined; kind?: ListKind | undefined },
  { limit, after }: { limit: number; after?: { at: string; id: string } | undefined },
): Promise<ListEntry[]> {
  const values = [tenant, filter.list ?? null, filter.kind ?? null, after?.at ?? null, after?.id ?? null, limit];
  return (await pool.query<ListEntry>(listSql, values)).rows;
}

const findSql = `select ${columns} from list_entries where tenant = $1 and value = $2 and kind = $3 and ${isActiveSql}`;

/** The active entry of a value. Undefined if there is none. */
export async function findListEntry(
  database: Pool | PoolClient,
  tenant: string,
  { value, kind }: Pick<ListedValue, 'value' | 'kind'>,
): Promise<ListEntry | undefined> {
  return (await database.query<ListEntry>(findSql, [tenant, value, kind])).rows[0];
}

/** What a caller can say about a value. */
export type NewListEntry = ListedValue & Pick<ListEntry, 'list' | 'reason' | 'addedBy' | 'expiresAt'>;

// Additions of a tenant wait for each other, so that together they cannot exceed the limit.
const lockSql = `select pg_advisory_xact_lock(hashtextextended('lists/' || $1, 0))`;

const isFullSql = `select count(*) >= $2 as "isFull" from list_entries where tenant = $1 and ${isActiveSql}`;

const deleteExpiredSql = `delete from list_entries where tenant = $1 and value = $2 and kind = $3 and not ${isActiveSql}`;

const insertSql = `
  insert into list_entries (tenant, list, kind, value, shown, reason, added_by, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${columns}`;

const changeSql = `update list_entries set reason = $2, expires_at = $3 where id = $1 returning ${columns}`;

/**
 * Adds an entry in the database transaction of `client`. If the value is on this list already, changes the reason and the end of its entry.
 * Returns `conflict`, the entry of the value on the other list, if there is one, and `isFull` if the tenant has too many entries: then
 * nothing is changed.
 */
export async function addListEntry(
  client: PoolClient,
  tenant: string,
  { list, kind, value, shown, reason, addedBy, expiresAt }: NewListEntry,
): Promise<{ entry: ListEntry; isNew: boolean } | { conflict: ListEntry } | { isFull: true }> {
  await client.query(lockSql, [tenant]);
  const known = await findListEntry(client, tenant, { value, kind });
  if (known && known.list !== list) return { conflict: known };
  if (known) {
    const { rows } = await client.query<ListEntry>(changeSql, [known.id, reason, expiresAt]);
    return { entry: rows[0] as ListEntry, isNew: false };
  }
  const { rows: counts } = await client.query<{ isFull: boolean }>(isFullSql, [tenant, listEntriesPerTenant]);
  if (counts[0]?.isFull) return { isFull: true };
  await client.query(deleteExpiredSql, [tenant, value, kind]);
  const values = [tenant, list, kind, value, shown, reason, addedBy, expiresAt];
  return { entry: (await client.query<ListEntry>(insertSql, values)).rows[0] as ListEntry, isNew: true };
}

const removeSql = `
  delete from list_entries where tenant = $1 and id = $2 and ${isActiveSql} returning list, kind`;

/** Removes an entry. Undefined if there is no such active entry. */
export async function removeListEntry(
  client: PoolClient,
  tenant: string,
  id: string,
): Promise<Pick<ListEntry, 'list' | 'kind'> | undefined> {
  return (await client.query<Pick<ListEntry, 'list' | 'kind'>>(removeSql, [tenant, id])).rows[0];
}

/** SQL: whether the tenant `$1` may create a transaction of a person. `values`: the parameter with the result of `personValues`. */
export const personAllowedSql = (values: string): string => `not is_person_denied($1, ${values}::text[])`;

/** Whether the tenant denies a person. `values`: the result of `personValues`. */
export async function isPersonDenied(pool: Pool, tenant: string, values: readonly string[]): Promise<boolean> {
  const { rows } = await pool.query<{ denied: boolean }>('select is_person_denied($1, $2) as denied', [tenant, values]);
  return rows[0]?.denied === true;
}

/** Deletes the entries that have expired. The audit log still has when they were added, and until when. */
export async function deleteExpiredListEntries(pool: Pool): Promise<void> {
  await deleteInBatches(pool, 'list_entries', 'expires_at < now()');
}
