import type { Keys } from '../keys/keys';
import { readSignedToken, signToken } from '../signed-token';

/** The target of a signed URL: one image. */
export interface ImageTarget {
  tenant: string;
  /** Id of the transaction. */
  owner: string;
  /** Id of the image. */
  id: string;
  /** Id of the client that requested the URL. The audit log names this client for every access. */
  actor: string;
  /** From this time on, the URL is invalid. */
  expiresAt: Date;
}

type UrlKeys = Pick<Keys, 'imageUrl'>;
type TokenContent = [tenant: string, owner: string, id: string, expiresAtMs: number, actor: string];

/** The signed path of an image. Until `expiresAt`, everyone who knows the path can open the image. The path has no personal data. */
export function imagePath(keys: UrlKeys, { tenant, owner, id, actor, expiresAt }: ImageTarget): string {
  const content: TokenContent = [tenant, owner, id, expiresAt.getTime(), actor];
  return `/images/${signToken(keys.imageUrl, content)}`;
}

/** The target of the token in a signed path. `expired` if its time is over. Undefined if its signature is invalid. */
export function readImageToken(keys: UrlKeys, token: string, now: Date): ImageTarget | 'expired' | undefined {
  const content = readSignedToken(keys.imageUrl, token) as TokenContent | undefined;
  if (!content) return undefined;
  const [tenant, owner, id, expiresAtMs, actor] = content;
  return now.getTime() < expiresAtMs ? { tenant, owner, id, actor, expiresAt: new Date(expiresAtMs) } : 'expired';
}
