import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Keys } from './keys';

/** `answer`: the page accepts every answer. `deny`: it accepts only a denial. */
export type LinkPurpose = 'answer' | 'deny';

/** The target of a link to the hosted page: one confirmation, for one purpose. */
export interface LinkTarget {
  tenant: string;
  transactionId: string;
  confirmationId: string;
  purpose: LinkPurpose;
}

function seal(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

function opens(key: Buffer, text: string, given: string): boolean {
  const [expected, actual] = [Buffer.from(seal(key, text)), Buffer.from(given)];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/**
 * Path of the hosted page on which a person answers. It has no personal data. The signature makes it unguessable and includes the
 * purpose: a link to deny cannot be changed into a link to confirm.
 */
export function hostedPagePath(keys: Keys, target: LinkTarget): string {
  const { tenant, transactionId, confirmationId, purpose } = target;
  const body = Buffer.from(JSON.stringify([tenant, transactionId, confirmationId, purpose])).toString('base64url');
  return `/confirm/${body}.${seal(keys.link, body)}`;
}

/** The target of a token; undefined if its signature is invalid. */
export function readHostedPageToken(keys: Keys, token: string): LinkTarget | undefined {
  const [body, signature, ...rest] = token.split('.');
  if (!body || !signature || rest.length > 0 || !opens(keys.link, body, signature)) return undefined;
  const [tenant, transactionId, confirmationId, purpose] = JSON.parse(Buffer.from(body, 'base64url').toString()) as [
    string,
    string,
    string,
    LinkPurpose,
  ];
  return { tenant, transactionId, confirmationId, purpose };
}

/** Path of the status callback of one send. */
export function statusCallbackPath(sendId: string): string {
  return `/webhooks/twilio/status/${encodeURIComponent(sendId)}`;
}

/** The target of a biometrics link. */
export interface BiometricsTarget {
  tenant: string;
  transactionId: string;
  biometricsId: string;
}

/** The token of a biometrics link: 256 bits derived from the service key, always the same for a link. */
export function biometricsToken(
  { biometricsLink }: Pick<Keys, 'biometricsLink'>,
  { tenant, transactionId, biometricsId }: BiometricsTarget,
): string {
  return seal(biometricsLink, JSON.stringify([tenant, transactionId, biometricsId]));
}

/** Path of the hosted page on which a person takes the images. */
export const biometricsPath = (token: string): string => `/biometrics/${token}`;

/** The form in which a token is stored: reading the database does not open the link. */
export const hashBiometricsToken = (token: string): string => createHash('sha256').update(token).digest('hex');
