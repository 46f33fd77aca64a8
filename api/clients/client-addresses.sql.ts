import { inTransaction, type Pool } from '../../platform/postgres/postgres';
import { lockClient } from './clients.sql';

/**
 * `return_url`: a hosted page can send a person back to all URLs that begin with this address. `origin`: pages of this origin can show a
 * hosted page in a frame.
 */
export type AddressKind = 'return_url' | 'origin';

/** Addresses of a client's own site. */
export interface ClientAddresses {
  /** Starts of the addresses to which hosted pages send a person back. */
  returnUrls: readonly string[];
  /** Origins that may show hosted pages in a frame. */
  origins: readonly string[];
}

/**
 * Maximum number of addresses of one kind for each client. It limits the length of the header in which each hosted page lists the origins
 * of its client.
 */
export const addressesPerKindMax = 20;

const addSql = `
  insert into client_addresses (client_id, kind, address)
  select $1, $2, $3 where (
    select count(*) from client_addresses where client_id = $1 and kind = $2 and address <> $3
  ) < ${addressesPerKindMax}
  on conflict (client_id, kind, address) do update set address = excluded.address`;

/**
 * Adds an address, or keeps it if the list already has it. `unknown`: the client does not exist or is revoked. `full`: the list has
 * `addressesPerKindMax` other addresses.
 */
export function addAddress(
  pool: Pool,
  clientId: string,
  kind: AddressKind,
  address: string,
): Promise<'added' | 'unknown' | 'full'> {
  return inTransaction(pool, async (database) => {
    if (!(await lockClient(database, clientId))) return 'unknown';
    return (await database.query(addSql, [clientId, kind, address])).rowCount === 1 ? 'added' : 'full';
  });
}

const removeSql = `delete from client_addresses where client_id = $1 and kind = $2 and address = $3`;

/** Removes an address. Returns false if the list does not have it. */
export async function removeAddress(
  pool: Pool,
  clientId: string,
  kind: AddressKind,
  address: string,
): Promise<boolean> {
  return (await pool.query(removeSql, [clientId, kind, address])).rowCount === 1;
}

interface AddressRow {
  clientId: string;
  kind: AddressKind;
  address: string;
}

const readSql = `
  select client_id as "clientId", kind, address from client_addresses
  where client_id = $1 or $1 is null order by client_id, kind, address`;

/** Lists the addresses of a client, sorted. `clientId`: null lists the addresses of all clients. */
export async function listAddresses(pool: Pool, clientId: string | null): Promise<AddressRow[]> {
  return (await pool.query<AddressRow>(readSql, [clientId])).rows;
}

const addressesOf = (rows: readonly AddressRow[], kind: AddressKind) =>
  rows.filter((row) => row.kind === kind).map(({ address }) => address);

/** Reads the addresses of a client. Both lists are empty for an unknown client. */
export async function readClientAddresses(pool: Pool, clientId: string): Promise<ClientAddresses> {
  const rows = await listAddresses(pool, clientId);
  return { returnUrls: addressesOf(rows, 'return_url'), origins: addressesOf(rows, 'origin') };
}
