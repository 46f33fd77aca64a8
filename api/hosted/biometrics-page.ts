import { cancelReasonOf, hasEndedWithoutDecision } from '../../domain/biometrics/biometrics';
import { announcesMessage } from '../../domain/biometrics/messages';
import type { Brand } from '../../domain/brand/brand';
import { biometricsPath } from '../../messages/links';
import { findCallerSite, withResult } from '../http/caller-site';
import { languageOfRequest } from '../http/language';
import { frameOf, type PersonPage, sendPersonPage, setPageHeaders } from '../pages/framed-page';
import { personBrandOf, readPageBrand } from '../pages/person-brand';
import type { BiometricsSettings, ClosedReason } from '../pages/rendered-pages';
import { Problem } from '../http/problem';
import { type RawHandler, type UndocumentedRoute, undocumentedRoute } from '../http/route';
import {
  findHostedLink,
  type HostedLink,
  type LinkCall,
  linkPath,
  requireLink,
  sendPageAction,
  serveLink,
  sessionOf,
  visibleStatus,
} from './hosted-link';
import type { Response } from 'express';
import type { Language } from '../../domain/transactions/input';
import type { PageDependencies } from '../pages/app-page';
import type { ProblemCode } from '../http/problems';
import { renderSVG } from 'uqr';
import { readJson } from '../http/body/read-json';
import { emptyBody } from '../http/body/fields';

/** Why this browser cannot use the link. Undefined if it can. */
function closedReason(hostedLink: HostedLink): ClosedReason | undefined {
  const { link, owner } = hostedLink;
  const cancelReason = cancelReasonOf(hostedLink.link, hostedLink.isNewest);
  if (cancelReason) return cancelReason === 'newer' ? 'canceled' : cancelReason;
  if (hasEndedWithoutDecision(link)) return 'expired';
  if (owner !== 'other') return undefined;
  return link.status === 'InProgress' ? 'taken' : 'used';
}

/** GET /biometrics/{token}: the page. It must not change anything, because message apps and mail scanners open links. */
export const showBiometricsPage: RawHandler<
  'brands' | 'builtPages' | 'clientAddresses' | 'config' | 'keys' | 'transactions'
> = async (dependencies, request, response) => {
  const requestLanguage = languageOfRequest({ dependencies, request });
  try {
    const hostedLink = await findHostedLink(dependencies, request, response);
    if (!hostedLink) return sendClosed(dependencies, response, { language: requestLanguage, reason: 'unknown' });
    const { link, token, owner, target } = hostedLink;
    const { language } = link;
    const brand = await readPageBrand(dependencies, target.tenant);
    const site = await findCallerSite(dependencies, link.requester);
    const { returnUrl } = site;
    const [transactionId, frame] = [target.id, frameOf(site, target.id)];
    const reason = closedReason(hostedLink);
    if (reason) {
      const status = visibleStatus(hostedLink);
      // If another browser owns the link, this browser gets no data of the link.
      const back = owner === 'other' || !returnUrl ? undefined : withResult(returnUrl, { transactionId, status });
      return sendClosed(dependencies, response, {
        ...{ language, brand, reason, back, frame },
        event: { type: 'closed', status },
      });
    }
    const settings = {
      ...{ base: biometricsPath(encodeURIComponent(token)), keptDays: link.imageDays },
      ...{ verifiesFaces: link.facePolicy !== undefined, announcesMessage: announcesMessage(link) },
      ...(returnUrl === undefined ? {} : { returnUrl, transactionId }),
      ...(frame ? { frame } : {}),
    };
    sendShell(dependencies, response, { language, brand, settings });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    sendClosed(dependencies, response, { language: requestLanguage, reason: 'unavailable' });
  }
};

/**
 * Sources that the content security policy of this page allows, in addition to the sources of every page. The page shows images from blob
 * URLs. `media-src` is for browsers that treat the camera stream as media.
 */
const shellSources = { 'img-src': "'self' blob:", 'media-src': 'blob: mediastream:' };

/** The problem for each reason why the person cannot use the link. The response with the page has the HTTP status of this problem. */
const problemCodes: Record<ClosedReason, ProblemCode> = {
  expired: 'link_closed',
  canceled: 'link_closed',
  ended: 'link_closed',
  erased: 'link_closed',
  used: 'link_closed',
  unknown: 'not_found',
  taken: 'link_taken',
  cookies: 'cookie_missing',
  unavailable: 'service_unavailable',
};

/**
 * Sends the page of a biometrics link. Only the script of the page sends POST …/open, which makes the browser the owner of the link. So the
 * preview of a message changes nothing: previews run no scripts.
 */
export function sendShell(
  dependencies: PageDependencies,
  response: Response,
  { language, brand, settings }: { language: Language; brand?: Brand | undefined; settings: BiometricsSettings },
): void {
  const { builtPages } = dependencies;
  const branded = personBrandOf(dependencies, brand);
  const html = builtPages.render('biometrics', {
    ...branded.props,
    ...{ language, settings },
    ...builtPages.entryOf('biometrics'),
  });
  const sources = { ...branded.sources, ...shellSources };
  setPageHeaders(response.status(200), { language, sources, camera: true }, settings.frame);
  response.type('html').send(html);
}

/** The content of the page that says why the person cannot use the link. */
export interface ClosedContent extends Omit<PersonPage, 'problem'> {
  reason: ClosedReason;
}

/** Sends the page that says why the person cannot use the link. The response has the HTTP status of the problem for this reason. */
export function sendClosed(
  dependencies: PageDependencies,
  response: Response,
  { reason, ...page }: ClosedContent,
): void {
  const problem = problemCodes[reason];
  sendPersonPage(dependencies, response, { name: 'closedLink', props: { reason } }, { ...page, problem });
}

/** GET …/session: the state of the link. */
export const readSession = serveLink(async ({ hostedLink }) => ({
  status: 200,
  body: sessionOf(hostedLink),
}));

/** Creates the handler of a page action without data. It answers with the state of the link. */
const servePageAction = (action: 'open' | 'consent' | 'submit', afterwards?: (call: LinkCall) => Promise<void>) =>
  serveLink(async (call: LinkCall) => {
    await readJson(emptyBody, call.request, call.response);
    await sendPageAction(call, { action });
    await afterwards?.(call);
    // A repeated action returns its first result, which may be out of date. The record has the current state of the link.
    return { status: 200, body: sessionOf(await requireLink(call)) };
  });

/** POST …/open: makes this browser the owner of the link, if the link has no owner. */
export const openLink = servePageAction('open');

/** POST …/consent: saves that the person gave consent. This must come before the first image. */
export const giveConsent = servePageAction('consent');

/** POST …/submit: submits the images. If the reviewers cannot be told, the request fails, and its repeat tells them. */
export const submitImages = servePageAction('submit', ({ dependencies, hostedLink: { target, link } }) =>
  dependencies.requestReview(target, link.id),
);

/**
 * GET …/qr.svg: a QR code with the URL of the page, so that the person can continue on a phone. Throws biometrics_not_found if the link
 * has an owner.
 */
export const showQr: RawHandler<'clientAddresses' | 'config' | 'keys' | 'transactions'> = async (
  dependencies,
  request,
  response,
) => {
  const hostedLink = await findHostedLink(dependencies, request, response);
  if (!hostedLink || hostedLink.owner !== 'nobody') throw new Problem('biometrics_not_found');
  const pageUrl = new URL(biometricsPath(hostedLink.token), dependencies.config.PUBLIC_URL).href;
  response
    .set('Content-Security-Policy', "default-src 'none'")
    .type('svg')
    .send(renderSVG(pageUrl, { ecc: 'M' }));
};

/** The hosted page of a link, and the requests of its script. */
export const biometricsPageRoutes: readonly UndocumentedRoute[] = [
  undocumentedRoute('get', linkPath, showBiometricsPage),
  undocumentedRoute('get', `${linkPath}/session`, readSession),
  undocumentedRoute('get', `${linkPath}/qr.svg`, showQr),
  undocumentedRoute('post', `${linkPath}/open`, openLink),
  undocumentedRoute('post', `${linkPath}/consent`, giveConsent),
  undocumentedRoute('post', `${linkPath}/submit`, submitImages),
];
