import { createHash } from 'node:crypto';
import type { SiteFile } from './inputs';

const types = { svg: 'image/svg+xml', webp: 'image/webp', json: 'application/json; charset=utf-8' };

/** A file below /assets whose name contains the hash of its content. */
export function hashedFile(name: string, extension: keyof typeof types, body: string | Uint8Array): SiteFile {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 10);
  return { path: `/assets/${name}-${hash}.${extension}`, type: types[extension], body, isHashed: true };
}
