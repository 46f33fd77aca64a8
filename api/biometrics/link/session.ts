import { renderSVG } from 'uqr';
import { biometricsPath } from '../../../platform/links';
import { readJson } from '../../http/body/read-json';
import { Problem } from '../../http/problem';
import type { Serve } from '../../http/route';
import { emptyBody } from '../../http/body/value-body';
import { findLink, sessionOf } from './opened-link';
import { type LinkCall, onLink, requireLink, takeStep } from './serve-link';

/** GET …/session: the state of the link. */
export const readSession = onLink(async ({ opened }) => ({ status: 200, body: sessionOf(opened) }));

/** A step without data. */
const serveStep = (step: 'open' | 'consent' | 'submit') =>
  onLink(async (call: LinkCall) => {
    await readJson(emptyBody, call.request, call.response);
    await takeStep(call, { step });
    // The result of a repeated step is old: the record has the current state.
    return { status: 200, body: sessionOf(await requireLink(call)) };
  });

/** POST …/open: the first browser owns the link. */
export const openLink = serveStep('open');

/** POST …/consent: required before any image. */
export const giveConsent = serveStep('consent');

/** POST …/submit: submits the images. */
export const submitImages = serveStep('submit');

/** GET …/qr.svg: the URL of the page, to continue on a phone. Not found once a browser owns the link. */
export const showQr: Serve = async (dependencies, request, response) => {
  const opened = await findLink(dependencies, request, response);
  if (!opened || opened.owner !== 'nobody') throw new Problem('biometrics_not_found');
  const address = new URL(biometricsPath(opened.token), dependencies.config.PUBLIC_URL).href;
  response
    .set({ 'Cache-Control': 'no-store', 'Content-Security-Policy': "default-src 'none'" })
    .type('svg')
    .send(renderSVG(address, { ecc: 'M' }));
};
