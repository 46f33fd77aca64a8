import type { LinkAction } from '../../domain/biometrics/commands';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { CookieOptions, Request, Response } from 'express';
import {
  type Biometrics,
  cancelReasonOf,
  captureKinds,
  hasEndedWithoutDecision,
} from '../../domain/biometrics/biometrics';
import { currentLink } from '../../domain/biometrics/link';
import { keyedHash } from '../../messages/codes';
import { biometricsPath, hashBiometricsToken } from '../../messages/links';
import { isLoopback } from '../../platform/ip-addresses';
import type { Needs } from '../dependencies';
import { type CallerSite, findCallerSite, readCookie } from '../http/caller-site';
import { Problem } from '../http/problem';
import { type CommandRequest, type Target, throwAsProblem } from '../transactions/transactions';
import type { PageAction } from '../../domain/biometrics/capture';
import { asTenant } from '../../platform/postgres/tenant-scope';
import { applyPageAction } from '../../workflows/contract/commands';
import type { RawHandler } from '../http/route';

/** A biometrics link as one browser sees it. */
export interface HostedLink {
  token: string;
  target: Target;
  link: Biometrics;
  /** Keyed digest of the secret in the cookie of this browser. Undefined if the browser sent no cookie. */
  browserDigest: string | undefined;
  /** Which browser owns the link. `nobody`: no browser yet. `you`: this browser. `other`: another browser. */
  owner: 'nobody' | 'you' | 'other';
  /** Whether this link is the newest link of the transaction. */
  isNewest: boolean;
}

/** The form of the token in a link, and of the secret in the cookie: 32 bytes in base64url. */
const tokenPattern = /^[\w-]{43}$/;

const cookieName = 'countersign_link';

const secretBytes = 32;

/** The cookie lives this much longer than the link, so that the person can see the last screen again. */
const cookieExtraMs = 3_600_000;

/**
 * The cookie options that depend on the site of the caller. With `lax`, browsers also send the cookie when the person opens the link from a
 * message again. This is safe, because only POST makes changes. If the page is in a frame of another site, browsers send only cookies that
 * are secure and have `sameSite: none`. With `partitioned`, the browser keeps a separate cookie for each site that shows the frame. Even
 * with `none`, another site cannot send the POST requests: their content type needs a permission (CORS) that the service gives to nobody.
 */
function crossSiteOptions(publicUrl: URL, { frameOrigins }: CallerSite): CookieOptions {
  const isSecure = publicUrl.protocol === 'https:';
  // Browsers accept secure cookies of this machine without HTTPS.
  if (frameOrigins.length > 0 && (isSecure || isLoopback(publicUrl.hostname)))
    return { sameSite: 'none', secure: true, partitioned: true };
  return { sameSite: 'lax', secure: isSecure };
}

/** Gives the browser a cookie with a new secret. The first browser that sends its secret with POST …/open becomes the owner. */
async function setSecretCookie(
  dependencies: Needs<'clientAddresses' | 'config'>,
  response: Response,
  token: string,
  { expiresAt, requester }: Biometrics,
): Promise<void> {
  const secret = randomBytes(secretBytes).toString('base64url');
  const site = await findCallerSite(dependencies, requester);
  response.cookie(cookieName, secret, {
    httpOnly: true,
    ...crossSiteOptions(new URL(dependencies.config.PUBLIC_URL), site),
    path: biometricsPath(token),
    maxAge: Math.max(cookieExtraMs, Date.parse(expiresAt) - Date.now() + cookieExtraMs),
  });
}

/** Compares two texts. The comparison takes equally long for all texts of one length, so its time reveals nothing about the secret. */
const isSame = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/**
 * Finds the link of a request. Returns undefined for an unknown token. If the link has no owner, a GET request without a cookie sets the
 * cookie. The later POST …/open makes this browser the owner of the link. POST …/open itself sets no cookie: if its response were lost, the
 * owner would have no cookie, and no browser could use the link.
 */
export async function findHostedLink(
  dependencies: Needs<'clientAddresses' | 'config' | 'keys' | 'transactions'>,
  request: Request,
  response: Response,
): Promise<HostedLink | undefined> {
  const token = String(request.params['token']);
  const savedLink = tokenPattern.test(token)
    ? await dependencies.transactions.readLink(hashBiometricsToken(token))
    : undefined;
  if (!savedLink) return undefined;
  const { state, biometrics: link } = savedLink;
  const secret = readCookie(request, cookieName, tokenPattern);
  if (secret === undefined && link.owner === undefined && request.method === 'GET')
    await setSecretCookie(dependencies, response, token, link);
  const browserDigest = secret && keyedHash(dependencies.keys, 'link-owner', link.id, secret);
  const isOwner = link.owner !== undefined && browserDigest !== undefined && isSame(link.owner, browserDigest);
  const owner = link.owner === undefined ? 'nobody' : isOwner ? 'you' : 'other';
  const isNewest = currentLink(state)?.id === link.id;
  response.locals['tenant'] = state.tenant;
  response.locals['transactionId'] = state.id;
  return { token, target: { tenant: state.tenant, id: state.id }, link, browserDigest, owner, isNewest };
}

/** Returns the Problem link_closed with the status of the link, and a reason if the images were erased or the flow run ended. */
export function linkClosedProblem({ link, isNewest }: Pick<HostedLink, 'link' | 'isNewest'>): Problem {
  const cancelReason = cancelReasonOf(link, isNewest);
  const reason = cancelReason === undefined || cancelReason === 'newer' ? {} : { reason: cancelReason };
  return new Problem('link_closed', { members: { linkStatus: link.status, ...reason } });
}

/** Throws link_taken if this browser is not the owner of the link, and link_closed if the link is not in progress. */
export function requireOpen(hostedLink: HostedLink): void {
  if (hostedLink.owner !== 'you') throw new Problem('link_taken');
  if (hostedLink.link.status !== 'InProgress') throw linkClosedProblem(hostedLink);
}

/** The status of the link for this browser. Only the owner of the link may see the decision. */
export const visibleStatus = ({ link, owner }: Pick<HostedLink, 'link' | 'owner'>): Biometrics['status'] =>
  owner === 'you' || link.decision === undefined ? link.status : 'Processing';

/** Returns the state of the link for the script of its page. Only the owner of the link gets all fields. Throws link_closed. */
export function sessionOf({ link, owner, isNewest }: Pick<HostedLink, 'link' | 'owner' | 'isNewest'>) {
  if (hasEndedWithoutDecision(link)) throw linkClosedProblem({ link, isNewest });
  const isOwner = owner === 'you';
  const captures = Object.fromEntries(captureKinds.map((kind) => [kind, isOwner && link.captures[kind] !== undefined]));
  const { expiresAt } = link;
  return {
    status: visibleStatus({ link, owner }),
    owner,
    consented: isOwner && link.consentedAt !== undefined,
    captures,
    expiresAt,
  };
}

/** The names of the dependencies of the requests from the page of a biometrics link. */
type LinkNeeds =
  | 'clientAddresses'
  | 'config'
  | 'images'
  | 'keys'
  | 'logger'
  | 'reencoder'
  | 'requestReview'
  | 'transactions'
  | 'uploads';

/** A request from the page of a biometrics link, together with the link. */
export interface LinkCall {
  dependencies: Needs<LinkNeeds>;
  hostedLink: HostedLink;
  request: Request;
  response: Response;
}

/** The transaction of a link, to which its uploads and images belong. */
export const imageOwnerOf = ({ hostedLink: { target } }: LinkCall) => ({ tenant: target.tenant, owner: target.id });

/**
 * Creates a handler for a path below the URL of a link. The handler answers with JSON, and throws biometrics_not_found for an unknown
 * token.
 */
export function serveLink(
  handle: (call: LinkCall) => Promise<{ status: number; body: object }>,
): RawHandler<LinkNeeds> {
  return async (dependencies, request, response) => {
    const hostedLink = await requireLink({ dependencies, request, response });
    const call = { dependencies, hostedLink, request, response };
    const { status, body } = await asTenant(hostedLink.target.tenant, () => handle(call));
    response.status(status).json(body);
  };
}

/** Reads the link from the record. Throws biometrics_not_found for an unknown token. */
export async function requireLink({
  dependencies,
  request,
  response,
}: Omit<LinkCall, 'hostedLink'>): Promise<HostedLink> {
  const hostedLink = await findHostedLink(dependencies, request, response);
  if (!hostedLink) throw new Problem('biometrics_not_found');
  return hostedLink;
}

/**
 * Sends an action of the person to the workflow of the transaction. Returns the link after this action. A repeat of the action changes
 * nothing, and returns the link as it was after the first time. Throws cookie_missing, link_taken and link_closed.
 */
export async function sendPageAction(call: LinkCall, action: PageAction): Promise<Biometrics> {
  const { target, link, browserDigest } = call.hostedLink;
  // A browser without a cookie must not become the owner, because then no browser could use the link.
  if (browserDigest === undefined && link.owner === undefined) throw new Problem('cookie_missing');
  if (browserDigest === undefined) throw new Problem('link_taken');
  const input = { ...action, biometricsId: link.id, owner: browserDigest };
  // The page sends no Idempotency-Key, so the id of the command is a hash of `deduplicateBy`. The same action has the same id, and
  // Temporal ignores the repeat. So a browser cannot make the history large.
  const request: CommandRequest<LinkAction> = { input, identity: ['action'], deduplicateBy: [input] };
  try {
    return await throwAsProblem(call.dependencies.transactions.send(target, applyPageAction, request));
  } catch (error) {
    // The domain error has only the status of the link. The record also has the reason.
    if (error instanceof Problem && error.code === 'link_closed') throw linkClosedProblem(await requireLink(call));
    throw error;
  }
}

export const linkPath = '/biometrics/{token}';
