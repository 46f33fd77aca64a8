import { renderSVG } from 'uqr';
import { biometricsPath } from '../../../messages/links';
import { readJson } from '../../http/body/read-json';
import { Problem } from '../../http/problem';
import type { RawHandler } from '../../http/route';
import { emptyBody } from '../../http/body/fields';
import { findHostedLink, sessionOf } from './hosted-link';
import { type LinkCall, serveLink, requireLink, sendPageAction } from './serve-link';

/** GET …/session: the state of the link. */
export const readSession = serveLink(async ({ hostedLink }) => ({
  status: 200,
  body: sessionOf(hostedLink),
}));

/** Creates the handler of a page action without data. It answers with the state of the link. */
const servePageAction = (action: 'open' | 'consent' | 'submit') =>
  serveLink(async (call: LinkCall) => {
    await readJson(emptyBody, call.request, call.response);
    await sendPageAction(call, { action });
    // A repeated action returns its first result, which may be out of date. The record has the current state of the link.
    return { status: 200, body: sessionOf(await requireLink(call)) };
  });

/** POST …/open: makes this browser the owner of the link, if the link has no owner. */
export const openLink = servePageAction('open');

/** POST …/consent: saves that the person gave consent. This must come before the first image. */
export const giveConsent = servePageAction('consent');

/** POST …/submit: submits the images. */
export const submitImages = servePageAction('submit');

/**
 * GET …/qr.svg: a QR code with the URL of the page, so that the person can continue on a phone. Throws biometrics_not_found if the link
 * has an owner.
 */
export const showQr: RawHandler = async (dependencies, request, response) => {
  const hostedLink = await findHostedLink(dependencies, request, response);
  if (!hostedLink || hostedLink.owner !== 'nobody') throw new Problem('biometrics_not_found');
  const pageUrl = new URL(biometricsPath(hostedLink.token), dependencies.config.PUBLIC_URL).href;
  response
    .set('Content-Security-Policy', "default-src 'none'")
    .type('svg')
    .send(renderSVG(pageUrl, { ecc: 'M' }));
};
