import type { Keys } from '../keys/keys';
import { readSignedToken, signToken } from '../signed-token';

/** The target of a signed URL: one image, until it expires. */
export interface ImageTarget {
  tenant: string;
  owner: string;
  id: string;
  /** Id of the client that requested the URL; the audit log names it for every access. */
  actor: string;
  /** From this time on, the URL is invalid. */
  expiresAt: Date;
}

type UrlKeys = Pick<Keys, 'imageUrl'>;
type TokenContent = [tenant: string, owner: string, id: string, expiresAtMs: number, actor: string];

/** Signed path of an image. Until it expires, everyone who knows it can open the image. It has no personal data. */
export function imagePath(keys: UrlKeys, { tenant, owner, id, actor, expiresAt }: ImageTarget): string {
  const content: TokenContent = [tenant, owner, id, expiresAt.getTime(), actor];
  return `/images/${signToken(keys.imageUrl, content)}`;
}

/** The target of a token; `expired` if its time is over; undefined if its signature is invalid. */
export function readImageToken(keys: UrlKeys, token: string, now: Date): ImageTarget | 'expired' | undefined {
  const content = readSignedToken(keys.imageUrl, token) as TokenContent | undefined;
  if (!content) return undefined;
  const [tenant, owner, id, expiresAtMs, actor] = content;
  return now.getTime() < expiresAtMs ? { tenant, owner, id, actor, expiresAt: new Date(expiresAtMs) } : 'expired';
}
