import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Keys } from '../keys';

/** The target of a signed address: one image, until it expires. */
export interface ImageTarget {
  tenant: string;
  owner: string;
  id: string;
  /** Id of the client that requested the address; the audit log names it for every access. */
  actor: string;
  /** From this time on it is invalid. */
  expiresAt: Date;
}

type LinkKeys = Pick<Keys, 'imageLink'>;
type Body = [tenant: string, owner: string, id: string, expiresAtMs: number, actor: string];

const sign = (keys: LinkKeys, body: string) => createHmac('sha256', keys.imageLink).update(body).digest('base64url');

function isSigned(keys: LinkKeys, body: string, given: string): boolean {
  const [expected, actual] = [Buffer.from(sign(keys, body)), Buffer.from(given)];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/** Path of an image for everyone who knows it, until it expires. It has ids and no personal data. */
export function imagePath(keys: LinkKeys, { tenant, owner, id, actor, expiresAt }: ImageTarget): string {
  const content: Body = [tenant, owner, id, expiresAt.getTime(), actor];
  const body = Buffer.from(JSON.stringify(content)).toString('base64url');
  return `/images/${body}.${sign(keys, body)}`;
}

/** The target of a token; `expired` if its time is over; undefined if its signature is invalid. */
export function readImageToken(keys: LinkKeys, token: string, now: Date): ImageTarget | 'expired' | undefined {
  const [body, signature, ...rest] = token.split('.');
  if (!body || !signature || rest.length > 0 || !isSigned(keys, body, signature)) return undefined;
  const [tenant, owner, id, expiresAtMs, actor] = JSON.parse(Buffer.from(body, 'base64url').toString()) as Body;
  return now.getTime() < expiresAtMs ? { tenant, owner, id, actor, expiresAt: new Date(expiresAtMs) } : 'expired';
}
