import type { BrandLogo, BrandSettings } from '../../domain/brand/brand';
import type { Pool, PoolClient } from '../../platform/postgres/postgres';

/** The brand of a tenant. `version` increases with each change. */
export interface SavedBrand {
  settings: BrandSettings;
  logo?: BrandLogo;
  version: number;
  changedAt: Date;
  changedBy: string;
}

interface BrandRow extends Omit<SavedBrand, 'logo'> {
  publicId: string;
  logoHash: string | null;
  width: number | null;
  height: number | null;
}

const columns = `settings, version, changed_at as "changedAt", changed_by as "changedBy", public_id as "publicId",
  left(encode(sha256(logo), 'hex'), 12) as "logoHash", logo_width as width, logo_height as height`;

function toBrand({ publicId, logoHash, width, height, ...brand }: BrandRow): SavedBrand {
  if (logoHash === null || width === null || height === null) return brand;
  return { ...brand, logo: { path: `/brands/${publicId}/logo?v=${logoHash}`, width, height } };
}

const findSql = `select ${columns} from brands where tenant = $1`;

/** The brand of a tenant. Undefined if it has set none. */
export async function findBrand(database: Pool | PoolClient, tenant: string): Promise<SavedBrand | undefined> {
  const row = (await database.query<BrandRow>(findSql, [tenant])).rows[0];
  return row && toBrand(row);
}

const lockSql = `select pg_advisory_xact_lock(hashtextextended('brands/' || $1, 0))`;

/** Lets changes of the brand of a tenant wait for each other. Needs a database transaction. Returns the current brand. */
export async function lockBrand(client: PoolClient, tenant: string): Promise<SavedBrand | undefined> {
  await client.query(lockSql, [tenant]);
  return findBrand(client, tenant);
}

const putSql = `
  insert into brands (tenant, settings, changed_by) values ($1, $2, $3)
  on conflict (tenant) do update
    set settings = excluded.settings, version = brands.version + 1, changed_at = now(), changed_by = excluded.changed_by
  returning ${columns}`;

/** Sets the brand of a tenant. The logo stays. Call `lockBrand` first. */
export async function putBrand(
  client: PoolClient,
  tenant: string,
  settings: BrandSettings,
  changedBy: string,
): Promise<SavedBrand> {
  const { rows } = await client.query<BrandRow>(putSql, [tenant, JSON.stringify(settings), changedBy]);
  return toBrand(rows[0] as BrandRow);
}

const logoSql = `
  update brands set logo = $2, logo_width = $3, logo_height = $4, version = version + 1, changed_at = now(), changed_by = $5
  where tenant = $1 returning ${columns}`;

/** A logo with its bytes. */
export interface LogoImage {
  png: Buffer;
  width: number;
  height: number;
}

/** Sets or removes the logo. Undefined if the tenant has set no brand. Call `lockBrand` first. */
export async function putLogo(
  client: PoolClient,
  tenant: string,
  logo: LogoImage | undefined,
  changedBy: string,
): Promise<SavedBrand | undefined> {
  const values = [tenant, logo?.png ?? null, logo?.width ?? null, logo?.height ?? null, changedBy];
  const row = (await client.query<BrandRow>(logoSql, values)).rows[0];
  return row && toBrand(row);
}

const readLogoSql = `select logo from brands where public_id = $1 and logo is not null`;

/** The logo with this public id, as PNG. Undefined if there is none. */
export async function readLogo(pool: Pool, publicId: string): Promise<Buffer | undefined> {
  return (await pool.query<{ logo: Buffer }>(readLogoSql, [publicId])).rows[0]?.logo;
}
