import { addAuditEntry } from '../../platform/audit';
import { readImageToken } from '../../images/sealed-images';
import { asTenant } from '../../platform/postgres/tenant-scope';
import { Problem } from '../http/problem';
import type { RawHandler } from '../http/route';

/** With these headers, browsers do not cache the image or run scripts in it. Pages of the caller can show it. */
const headers = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
} as const;

/**
 * GET /images/{token}: the image of a signed URL. Writes the access into the audit log before it sends the first byte. Throws
 * image_url_expired, images_erased, and not_found for an invalid signature.
 */
export const serveImage: RawHandler = async ({ keys, pool, images }, request, response) => {
  const target = readImageToken(keys, String(request.params['token']), new Date());
  if (!target) throw new Problem('not_found');
  if (target === 'expired') throw new Problem('image_url_expired');
  const { tenant, owner, id, actor } = target;
  response.locals['tenant'] = tenant;
  response.locals['transactionId'] = owner;
  const jpeg = await asTenant(tenant, async () => {
    const image = await images.read({ tenant, owner, id });
    if (!image) throw new Problem('images_erased');
    await addAuditEntry(pool, { tenant, owner, actor, action: 'image_read', detail: { image: id } });
    return image;
  });
  response.set(headers).type('jpeg').send(jpeg);
};
