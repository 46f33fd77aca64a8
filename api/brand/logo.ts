import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ReencodeError } from '../../images/reencode-image';
import { addAuditEntry } from '../../platform/audit';
import { inTransaction } from '../../platform/postgres/postgres';
import { isUuid } from '../../platform/uuid';
import { lockBrand, type LogoImage, putLogo as saveLogo, type SavedBrand } from '../../store/brands/brands.sql';
import { named } from '../http/openapi/schema-of';
import { Problem } from '../http/problem';
import {
  type ApiRoute,
  type Call,
  type Handler,
  type RawHandler,
  type UndocumentedRoute,
  undocumentedRoute,
  withBody,
} from '../http/route';
import { headers, toBody } from './brand';
import { brandShape } from './brand-body';

/** Maximum size of an uploaded logo, in bytes. A logo of 480 x 160 pixels, the largest that is kept, usually has 5 to 20 KB. */
const logoBytesMax = 64 * 1024;

/** Base64 has four characters for three bytes. */
const base64CharactersMax = Math.ceil(logoBytesMax / 3) * 4;

/** The body of PUT /v1/brand/logo. */
export const logoBody = named(
  'BrandLogo',
  z.strictObject(
    {
      image: z
        .string('must be a string')
        .regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'must be Base64')
        .min(4, 'must not be empty')
        .max(base64CharactersMax, 'must have at most 64 KB before the Base64 encoding')
        .describe('A PNG, JPEG or WebP of at most 64 KB, in Base64'),
    },
    'must be an object',
  ),
);

type LogoBody = z.output<typeof logoBody>;

/** What is wrong with an image, by the error of the re-encoder. */
const imageIssues: Record<Exclude<ReencodeError, 'gone'>, string> = {
  not_an_image: 'must be a PNG, JPEG or WebP',
  unreadable: 'is damaged. Export it again from your image editor',
  too_large: 'must have at most 4 million pixels, and at most 4096 in width and height',
  animated: 'must not be animated',
};

/** Whether bytes look like SVG. An SVG can have scripts and load other files, so the service has no decoder for it. */
const isSvg = (bytes: Buffer) => /^\s*(?:<\?xml|<!--|<!doctype svg|<svg)/i.test(bytes.toString('utf8', 0, 512));

/** Creates the logo from the pixels of an uploaded image. Throws validation_failed. */
async function reencode({ dependencies, body }: Call<'reencoder', LogoBody>): Promise<LogoImage> {
  const bytes = Buffer.from(body.image, 'base64');
  const result = isSvg(bytes) ? 'svg' : await dependencies.reencoder.reencodeLogo(bytes);
  if (result === 'svg')
    throw imageProblem('must be a PNG, JPEG or WebP, and not SVG. Export the SVG as PNG with a height of 160 pixels');
  if (!('error' in result)) return result;
  if (result.error === 'gone') throw new Error('A logo is always in memory.');
  throw imageProblem(imageIssues[result.error]);
}

const imageProblem = (issue: string) => new Problem('validation_failed', { errors: { image: [issue] } });

/** Sets or removes the logo, and writes the change into the audit log. Throws brand_not_set. */
async function changeLogo(
  { dependencies, tenant, clientId }: Call<'brands' | 'pool'>,
  logo: LogoImage | undefined,
): Promise<SavedBrand> {
  const saved = await inTransaction(dependencies.pool, async (client) => {
    await lockBrand(client, tenant);
    const changed = await saveLogo(client, tenant, logo, clientId);
    if (!changed) throw new Problem('brand_not_set');
    const action = logo ? 'brand_logo_changed' : 'brand_logo_removed';
    const detail = { version: changed.version };
    await addAuditEntry(client, { tenant, owner: 'brand', actor: clientId, action, detail });
    return changed;
  });
  dependencies.brands.forget(tenant);
  return saved;
}

/** PUT /v1/brand/logo: sets the logo. Its pixels are copied into a new PNG of at most 480 x 160 pixels. */
export const putLogo: Handler<'brands' | 'config' | 'pool' | 'reencoder', LogoBody> = async (call) => {
  const saved = await changeLogo(call, await reencode(call));
  return { status: 200, headers, body: toBody(call.dependencies, saved) };
};

/** DELETE /v1/brand/logo: removes the logo. Pages and mails then show only the name. */
export const removeLogo: Handler<'brands' | 'config' | 'pool'> = async (call) => ({
  status: 200,
  headers,
  body: toBody(call.dependencies, await changeLogo(call, undefined)),
});

/**
 * A day: the address on pages changes with the logo. A mail keeps the address of the logo at its time, which then shows the newest logo.
 * Mail programs in browsers load images from other sites, so the policy for embedding is `cross-origin`.
 */
const logoHeaders = {
  'Cache-Control': 'public, max-age=86400',
  'Content-Security-Policy': "default-src 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
} as const;

/** GET /brands/{brandId}/logo: the logo, for pages and mails. The id is random, so it does not reveal the tenant. Throws not_found. */
export const serveLogo: RawHandler<'brands'> = async ({ brands }, request, response) => {
  const brandId = String(request.params['brandId']);
  const png = isUuid(brandId) ? await brands.logo(brandId) : undefined;
  if (!png) throw new Problem('not_found');
  const etag = `"${createHash('sha256').update(png).digest('base64url')}"`;
  response
    .set({ ...logoHeaders, ETag: etag })
    .type('png')
    .send(png);
};

const transparentPixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Changing the logo; not in SPEC. */
export const logoRoutes: readonly ApiRoute[] = [
  withBody({
    operationId: 'putBrandLogo',
    method: 'put',
    path: '/v1/brand/logo',
    scope: 'brand:write',
    summary: 'Set the logo. Pages and mails show it within seconds',
    body: () => logoBody,
    example: { image: transparentPixel },
    bodyLimits: { bytes: base64CharactersMax + 1_024 },
    responses: { 200: brandShape },
    problems: ['brand_not_set'],
    handler: putLogo,
  }),
  {
    operationId: 'removeBrandLogo',
    method: 'delete',
    path: '/v1/brand/logo',
    scope: 'brand:write',
    summary: 'Remove the logo',
    responses: { 200: brandShape },
    problems: ['brand_not_set'],
    handler: removeLogo,
  },
];

/** The address of the logo on pages and in mails. */
export const logoPages: readonly UndocumentedRoute[] = [undocumentedRoute('get', '/brands/{brandId}/logo', serveLogo)];
