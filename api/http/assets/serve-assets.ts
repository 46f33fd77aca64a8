import { Problem } from '../problem';
import type { Serve } from '../route';
import type { PageAssets } from './page-assets';

/** Pages with scripts are kept by nobody, framed by nobody, and tell no other site where their reader came from. */
export const pageHeaders = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex, nofollow',
  'X-Frame-Options': 'DENY',
} as const;

/**
 * GET {base}/{version}/{file}, or {base}/{version}/{folder}/browser/{file}: scripts, styles and icons of a page. During a release a process may be asked for files of
 * the version beside its own: it answers with what it has, and lets nobody keep that under the other's name.
 */
export function serveAssets({ version, find }: PageAssets): Serve {
  return (_parts, request, response) => {
    const { folder, file } = request.params;
    const asset = find(folder === undefined ? String(file) : `${String(folder)}/browser/${String(file)}`);
    if (!asset) throw new Problem('not_found');
    const kept = request.params['version'] === version;
    response
      .set({ ...pageHeaders, 'Cache-Control': kept ? 'public, max-age=31536000, immutable' : 'no-store' })
      .type(asset.type)
      .send(asset.bytes);
  };
}
