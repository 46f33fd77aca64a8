import { isDeepStrictEqual } from 'node:util';
import { serviceBrand } from '../../domain/brand/brand';
import { addAuditEntry } from '../../platform/audit';
import { inTransaction } from '../../platform/postgres/postgres';
import { findBrand, lockBrand, putBrand as saveBrand, type SavedBrand } from '../../store/brands/brands.sql';
import type { Needs } from '../dependencies';
import { Problem } from '../http/problem';
import { type ApiRoute, type Call, type Handler, type Parameter, withBody } from '../http/route';
import { type BrandBody, brandBody, brandExample, brandShape, settingsOf } from './brand-body';

export const headers = { 'Cache-Control': 'no-store' };

/** A brand in the form of the API. Undefined: the tenant has set none. */
export function toBody({ config }: Needs<'config'>, saved: SavedBrand | undefined) {
  if (!saved) return { ...serviceBrand(config.BRAND, config.DEFAULT_LANGUAGE), version: 0 };
  const { settings, logo, version, changedAt, changedBy } = saved;
  return {
    ...settings,
    ...(logo
      ? { logo: { url: new URL(logo.path, config.PUBLIC_URL).href, width: logo.width, height: logo.height } }
      : {}),
    source: 'tenant' as const,
    version,
    changedAt: changedAt.toISOString(),
    changedBy,
  };
}

/** GET /v1/brand: the brand of the tenant. If it has set none, the brand of the service. */
export const getBrand: Handler<'config' | 'pool'> = async ({ dependencies, tenant }) => ({
  status: 200,
  headers,
  body: toBody(dependencies, await findBrand(dependencies.pool, tenant)),
});

const ifMatch: Parameter = {
  name: 'If-Match',
  in: 'header',
  description:
    'The `version` of the brand that you have read, in double quotes. If the brand now has another version, nothing is saved',
  schema: { type: 'string', pattern: '^"\\d{1,9}"$' },
};

/** Reads the expected version from If-Match. Undefined without this header. Throws validation_failed. */
function expectedVersion({ request }: Pick<Call, 'request'>): number | undefined {
  const given = request.get('if-match');
  if (given === undefined) return undefined;
  const [, version] = /^"(\d{1,9})"$/.exec(given) ?? [];
  if (version === undefined)
    throw new Problem('validation_failed', { errors: { 'If-Match': ['must be a version in double quotes'] } });
  return Number(version);
}

/** PUT /v1/brand: replaces the brand of the tenant, except its logo. A repeat changes nothing. Throws brand_changed. */
export const putBrand: Handler<'brands' | 'config' | 'pool' | 'sendingLimits', BrandBody> = async (call) => {
  const { dependencies, tenant, clientId } = call;
  const settings = settingsOf(call);
  const expected = expectedVersion(call);
  const saved = await inTransaction(dependencies.pool, async (client) => {
    const current = await lockBrand(client, tenant);
    if (expected !== undefined && expected !== (current?.version ?? 0)) throw new Problem('brand_changed');
    if (current && isDeepStrictEqual(current.settings, settings)) return current;
    const changed = await saveBrand(client, tenant, settings, clientId);
    const detail = { version: changed.version };
    await addAuditEntry(client, { tenant, owner: 'brand', actor: clientId, action: 'brand_changed', detail });
    return changed;
  });
  dependencies.brands.forget(tenant);
  return { status: 200, headers, body: toBody(dependencies, saved) };
};

/** The brand of a tenant; not in SPEC. */
export const brandRoutes: readonly ApiRoute[] = [
  {
    operationId: 'getBrand',
    method: 'get',
    path: '/v1/brand',
    scope: 'brand:read',
    summary: 'Get the brand that persons see in messages and pages',
    responses: { 200: brandShape },
    handler: getBrand,
  },
  withBody({
    operationId: 'putBrand',
    method: 'put',
    path: '/v1/brand',
    scope: 'brand:write',
    summary: 'Replace the brand, except its logo. Messages and pages use it within seconds',
    body: () => brandBody,
    example: brandExample,
    responses: { 200: brandShape },
    problems: ['brand_changed'],
    parameters: [ifMatch],
    handler: putBrand,
  }),
];
