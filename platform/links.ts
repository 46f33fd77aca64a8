import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Keys } from './keys';

/** `answer`: the page takes every answer. `deny`: it takes a denial only. */
export type LinkPurpose = 'answer' | 'deny';

/** What a person's link opens: one confirmation, for one purpose. */
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
 * Path of the page on which a person answers. It holds no personal data. The signature makes it unguessable and covers
 * the purpose: a link that denies cannot be changed into one that confirms.
 */
export function hostedPagePath(keys: Keys, target: LinkTarget): string {
  const { tenant, transactionId, confirmationId, purpose } = target;
  const body = Buffer.from(JSON.stringify([tenant, transactionId, confirmationId, purpose])).toString('base64url');
  return `/confirm/${body}.${seal(keys.link, body)}`;
}

/** The target of a link's token, or undefined when it is not one of ours. */
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

/** Path to which the provider reports on one send. */
export function statusCallbackPath(sendId: string): string {
  return `/webhooks/twilio/status/${encodeURIComponent(sendId)}`;
}

/** What a biometrics link is for. */
export interface BiometricsTarget {
  tenant: string;
  transactionId: string;
  biometricsId: string;
}

/** The token of a biometrics link: 256 bits that only the service key derives, the same whenever they are asked for. */
export function biometricsToken(
  { biometricsLink }: Pick<Keys, 'biometricsLink'>,
  { tenant, transactionId, biometricsId }: BiometricsTarget,
): string {
  return seal(biometricsLink, JSON.stringify([tenant, transactionId, biometricsId]));
}

/** Path of the page on which a person takes the pictures. */
export const biometricsPath = (token: string): string => `/biometrics/${token}`;

/** The form in which a token is kept: whoever reads it there cannot open the link. */
export const hashBiometricsToken = (token: string): string => createHash('sha256').update(token).digest('hex');
