import { createHash } from 'node:crypto';
import type { Keys } from '../platform/keys/service-keys';
import { readSignedToken, signatureOf, signToken } from '../platform/keys/seal';

/** What a link to a hosted page allows. `answer`: the page accepts every answer. `deny`: the page accepts only a denial. */
export type LinkPurpose = 'answer' | 'deny';

/** The target of a link to the hosted page: one confirmation, for one purpose. */
export interface ConfirmationPageTarget {
  tenant: string;
  transactionId: string;
  confirmationId: string;
  purpose: LinkPurpose;
}

type HostedPageContent = [tenant: string, transactionId: string, confirmationId: string, purpose: LinkPurpose];

/**
 * Path of the hosted page on which a person answers. It has no personal data and cannot be guessed. The signature includes the
 * purpose, so a link to deny cannot be changed into a link to confirm.
 */
export function hostedPagePath(keys: Keys, target: ConfirmationPageTarget): string {
  const { tenant, transactionId, confirmationId, purpose } = target;
  const content: HostedPageContent = [tenant, transactionId, confirmationId, purpose];
  return `/confirm/${signToken(keys.confirmationLink, content)}`;
}

/** The target of a link, from the token in its URL. Undefined if the signature of the token is invalid. */
export function readHostedPageToken(keys: Keys, token: string): ConfirmationPageTarget | undefined {
  const content = readSignedToken(keys.confirmationLink, token) as HostedPageContent | undefined;
  if (!content) return undefined;
  const [tenant, transactionId, confirmationId, purpose] = content;
  return { tenant, transactionId, confirmationId, purpose };
}

/** The target of a link to the page on which the person enters a code. */
export interface CodePageTarget {
  tenant: string;
  transactionId: string;
  confirmationId: string;
  /** The client that requested the link, and the address to which the page then sends the person back. */
  requester: { clientId: string; returnUrl?: string };
}

type CodePageContent = [
  tenant: string,
  transactionId: string,
  confirmationId: string,
  clientId: string,
  ...returnUrl: string[],
];

/** Path of the page on which the person enters a code. The signature includes the return URL, so nobody can change the return URL. */
export function codePagePath(keys: Keys, target: CodePageTarget): string {
  const { tenant, transactionId, confirmationId, requester } = target;
  const returnUrl = requester.returnUrl === undefined ? [] : [requester.returnUrl];
  const content: CodePageContent = [tenant, transactionId, confirmationId, requester.clientId, ...returnUrl];
  return `/code/${signToken(keys.codePageLink, content)}`;
}

/** The target of a link, from the token in its URL. Undefined if the signature of the token is invalid. */
export function readCodePageToken(keys: Keys, token: string): CodePageTarget | undefined {
  const content = readSignedToken(keys.codePageLink, token) as CodePageContent | undefined;
  if (!content) return undefined;
  const [tenant, transactionId, confirmationId, clientId, returnUrl] = content;
  return {
    ...{ tenant, transactionId, confirmationId },
    requester: { clientId, ...(returnUrl === undefined ? {} : { returnUrl }) },
  };
}

/** The target of a biometrics link. */
export interface BiometricsTarget {
  tenant: string;
  transactionId: string;
  biometricsId: string;
}

/** The token of a biometrics link: 256 bits derived from the root secret, always the same for a link. */
export function biometricsToken(
  { biometricsLink }: Pick<Keys, 'biometricsLink'>,
  { tenant, transactionId, biometricsId }: BiometricsTarget,
): string {
  return signatureOf(biometricsLink, JSON.stringify([tenant, transactionId, biometricsId]));
}

/** Path of the hosted page on which a person takes the images. */
export const biometricsPath = (token: string): string => `/biometrics/${token}`;

/** The hash of the token of a biometrics link. Only the hash is stored, so nobody who reads the database can open the link. */
export const hashBiometricsToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** The message whose code a call tells. */
export interface CallTarget {
  tenant: string;
  transactionId: string;
  sendId: string;
}

/**
 * Path at which the provider asks what a call says. The call also has its status at `…/status`. Only the provider gets the path, and it
 * cannot be guessed.
 */
export const callPath = (keys: Keys, { tenant, transactionId, sendId }: CallTarget): string =>
  `/webhooks/twilio/calls/${signToken(keys.call, [tenant, transactionId, sendId])}`;

/** The target of a path, from its token. Undefined if the signature of the token is invalid. */
export function readCallToken(keys: Keys, token: string): CallTarget | undefined {
  const content = readSignedToken(keys.call, token) as [string, string, string] | undefined;
  if (!content) return undefined;
  const [tenant, transactionId, sendId] = content;
  return { tenant, transactionId, sendId };
}

/** The send about which a gateway reports, and the name of the gateway in MESSAGING. */
export interface GatewayReportTarget {
  provider: string;
  sendId: string;
  /** The tenant whose provider it is. Absent: the service. */
  tenant?: string;
}

/**
 * Path to which a gateway reports the status of one message. Only the gateway gets it, and it cannot be guessed, so a report at this path is
 * from the gateway.
 */
export const gatewayReportPath = (keys: Keys, { provider, sendId, tenant }: GatewayReportTarget): string =>
  `/webhooks/gateways/${signToken(keys.gatewayReport, [provider, sendId, ...(tenant === undefined ? [] : [tenant])])}`;

/** The target of a path, from its token. Undefined if the signature of the token is invalid. */
export function readGatewayReportToken(keys: Keys, token: string): GatewayReportTarget | undefined {
  const content = readSignedToken(keys.gatewayReport, token) as
    | [provider: string, sendId: string, tenant?: string]
    | undefined;
  if (!content) return undefined;
  const [provider, sendId, tenant] = content;
  return { provider, sendId, ...(tenant !== undefined && { tenant }) };
}

/**
 * Path to which the mail system posts bounces and complaints about mails. It is always the same. Only the operator gets it, and it cannot be
 * guessed.
 */
export const mailReportPath = (keys: Pick<Keys, 'mailReport'>): string =>
  `/webhooks/mail/${signToken(keys.mailReport, [])}`;

/** Whether a token is that of the path to which the mail system posts. */
export const isMailReportToken = (keys: Pick<Keys, 'mailReport'>, token: string): boolean =>
  readSignedToken(keys.mailReport, token) !== undefined;
