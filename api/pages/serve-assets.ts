import { Problem } from '../http/problem';
import type { RawHandler } from '../http/route';
import type { PageAssets } from './page-assets';
import { uncachedHeaders } from './page-headers';

/**
 * GET {base}/{version}/{file}, or {base}/{version}/{folder}/browser/{file}. During a release, a process may get a request for
 * another version. It then sends its own file with `no-store`, because caches must not store that file under the other version.
 */
export function serveAssets({ version, find }: PageAssets): RawHandler {
  return (_dependencies, request, response) => {
    const { folder, file } = request.params;
    const asset = find(folder === undefined ? String(file) : `${String(folder)}/browser/${String(file)}`);
    if (!asset) throw new Problem('not_found');
    const isCurrent = request.params['version'] === version;
    response
      .set({ ...uncachedHeaders, 'Cache-Control': isCurrent ? 'public, max-age=31536000, immutable' : 'no-store' })
      .type(asset.type)
      .send(asset.bytes);
  };
}
