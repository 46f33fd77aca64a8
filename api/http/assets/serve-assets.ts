import { Problem } from '../problem';
import type { Serve } from '../route';
import type { PageAssets } from './page-assets';

/** Pages with scripts: not cached, not framed, not indexed, and without a referrer. */
export const pageHeaders = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex, nofollow',
  'X-Frame-Options': 'DENY',
} as const;

/**
 * GET {base}/{version}/{file}, or {base}/{version}/{folder}/browser/{file}. During a release a process may get requests for
 * another version: it sends its own file, which must not be cached under that version.
 */
export function serveAssets({ version, find }: PageAssets): Serve {
  return (_dependencies, request, response) => {
    const { folder, file } = request.params;
    const asset = find(folder === undefined ? String(file) : `${String(folder)}/browser/${String(file)}`);
    if (!asset) throw new Problem('not_found');
    const isCurrent = request.params['version'] === version;
    response
      .set({ ...pageHeaders, 'Cache-Control': isCurrent ? 'public, max-age=31536000, immutable' : 'no-store' })
      .type(asset.type)
      .send(asset.bytes);
  };
}
