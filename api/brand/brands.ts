import { LRUCache } from 'lru-cache';
import { type Brand, serviceBrand, tenantBrand } from '../../domain/brand/brand';
import { findBrand, readLogo } from '../../store/brands/brands.sql';
import type { ApiConfig } from '../../platform/config';
import { within } from '../../platform/deadline';
import type { Pool } from '../../platform/postgres/postgres';
import { asService, asTenant } from '../../platform/postgres/tenant-scope';

/** After at most this time, every process uses a changed brand. It limits the reads to one per tenant and process in this time. */
const freshMs = 5_000;

/** How long a request waits for a newer brand when it has an older one. A read of one row takes a millisecond. */
const waitMs = 300;

/** Maximum number of tenants whose brands are in memory. One takes about 1 KB. */
const brandsMax = 10_000;

/** Maximum size of the logos in memory, in bytes. A logo has at most about 80 KB, and usually 5 KB. */
const logoBytesMax = 16 * 1024 * 1024;

/**
 * The brands of the tenants, as this process read them at most `freshMs` ago. While Postgres does not answer, or answers slowly, the process uses
 * the brand that it read before.
 */
export class Brands {
  readonly #brands: LRUCache<string, Brand>;
  readonly #logos: LRUCache<string, { png: Buffer | undefined }>;

  /** `ttl`: see `freshMs`. */
  constructor(pool: Pool, { BRAND, DEFAULT_LANGUAGE, PUBLIC_URL }: ApiConfig, ttl = freshMs) {
    const read = async (tenant: string): Promise<Brand> => {
      const saved = await asTenant(tenant, () => findBrand(pool, tenant));
      return saved ? tenantBrand(saved.settings, saved.logo, PUBLIC_URL) : serviceBrand(BRAND, DEFAULT_LANGUAGE);
    };
    // `ignoreFetchAbort`: a change of the brand must not fail the requests that are reading it.
    const shared = { ttl, ignoreFetchAbort: true, noDeleteOnStaleGet: true };
    this.#brands = new LRUCache({
      ...shared,
      max: brandsMax,
      fetchMethod: (tenant, stale) => orEarlier(stale, read(tenant)),
    });
    this.#logos = new LRUCache({
      ...shared,
      maxSize: logoBytesMax,
      sizeCalculation: ({ png }) => 100 + (png?.length ?? 0),
      fetchMethod: (publicId, earlier) =>
        // The id says nothing about its tenant, and everybody who gets a mail of the tenant may see the logo.
        orEarlier(
          earlier,
          asService(() => readLogo(pool, publicId)).then((png) => ({ png })),
        ),
    });
  }

  /** The brand of a tenant. Rejects with the error of Postgres if this process has never read it. */
  async of(tenant: string): Promise<Brand> {
    return (await this.#brands.fetch(tenant)) as Brand;
  }

  /** The logo with this public id, as PNG. Undefined if there is none. Rejects like `of`. */
  async logo(publicId: string): Promise<Buffer | undefined> {
    return (await this.#logos.fetch(publicId))?.png;
  }

  /** Reads the brand of a tenant and all logos again, because this process has changed them. */
  forget(tenant: string): void {
    this.#brands.delete(tenant);
    this.#logos.clear();
  }
}

/** The newer value. If it does not come in time, the earlier one, if there is one. */
function orEarlier<Value>(earlier: Value | undefined, newer: Promise<Value>): Promise<Value> {
  if (earlier === undefined) return newer;
  const orThis = () => earlier;
  return within(waitMs, newer.catch(orThis), orThis);
}
