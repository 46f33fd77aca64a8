import { renderSVG } from 'uqr';
import { biometricsPath } from '../../../platform/links';
import { readJson } from '../../http/body/read-json';
import { Problem } from '../../http/problem';
import type { Serve } from '../../http/route';
import { emptyBody } from '../../http/body/value-body';
import { findLink, sessionOf } from './opened-link';
import { type LinkCall, onLink, requireLink, takeStep } from './serve-link';

/** GET session: how far the link is. */
export const readSession = onLink(async ({ opened }) => ({ status: 200, body: sessionOf(opened) }));

/** Takes a step without a body of its own. */
const stepping = (step: 'open' | 'consent' | 'submit') =>
  onLink(async (call: LinkCall) => {
    await readJson(emptyBody, call.request, call.response);
    await takeStep(call, { step });
    // A repeated step is answered as it once was: how far the link is since, its record tells.
    return { status: 200, body: sessionOf(await requireLink(call)) };
  });

/** POST open: the first browser that does owns the link. */
export const openLink = stepping('open');

/** POST consent: recorded before any image is taken in. */
export const giveConsent = stepping('consent');

/** POST submit: hands the images in. */
export const submitImages = stepping('submit');

/** GET qr.svg: the address of the page, to go on by phone. Only before anybody owns the link: it would be of no use later. */
export const showQr: Serve = async (dependencies, request, response) => {
  const opened = await findLink(dependencies, request, response);
  if (!opened || opened.owner !== 'nobody') throw new Problem('biometrics_not_found');
  const address = new URL(biometricsPath(opened.token), dependencies.config.PUBLIC_URL).href;
  response
    .set({ 'Cache-Control': 'no-store', 'Content-Security-Policy': "default-src 'none'" })
    .type('svg')
    .send(renderSVG(address, { ecc: 'M' }));
};
