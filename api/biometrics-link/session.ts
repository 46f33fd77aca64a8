import { renderSVG } from 'uqr';
import { isWasted } from '../../domain/biometrics/biometrics';
import type { Biometrics } from '../../domain/biometrics/biometrics';
import { biometricsUrlOf } from '../../platform/config';
import { biometricsPath } from '../../platform/links';
import { readJson } from '../body/read-json';
import { Problem } from '../problem';
import type { OpenRoute } from '../route';
import { emptyBody } from '../schemas/value-body';
import { findLink, sessionOf } from './opened-link';
import { type LinkCall, onLink, takeStep } from './serve-link';

/** GET session: how far the link is. */
export const readSession = onLink(async ({ opened }) => ({ status: 200, body: sessionOf(opened) }));

const done: Record<'open' | 'consent' | 'submit', (link: Biometrics) => boolean> = {
  open: ({ openedAt, status }) => openedAt !== undefined && status === 'InProgress',
  consent: ({ consentedAt, status }) => consentedAt !== undefined && status === 'InProgress',
  submit: ({ status }) => status === 'Processing',
};

/** Takes a step without a body of its own. */
const stepping = (step: 'open' | 'consent' | 'submit') =>
  onLink(async (call: LinkCall) => {
    await readJson(emptyBody, call.request, call.response);
    const { opened } = call;
    // What is done already costs no write: pages repeat themselves, and so could anybody else.
    const isDone = opened.owner === 'you' && !isWasted(opened.link) && done[step](opened.link);
    const link = isDone ? opened.link : await takeStep(call, { step });
    return { status: 200, body: sessionOf({ link, owner: 'you', isNewest: opened.isNewest }) };
  });

/** POST open: the first browser that does owns the link. */
export const openLink = stepping('open');

/** POST consent: recorded before any image is taken in. */
export const giveConsent = stepping('consent');

/** POST submit: hands the images in. */
export const submitImages = stepping('submit');

/** GET qr.svg: the address of the page, to go on by phone. Only before anybody owns the link: it would be of no use later. */
export const showQr: OpenRoute['serve'] = async (parts, request, response) => {
  const opened = await findLink(parts, request, response);
  if (!opened || opened.owner !== 'nobody') throw new Problem('biometrics_not_found');
  const address = new URL(biometricsPath(opened.token), biometricsUrlOf(parts.config)).href;
  response
    .set({ 'Cache-Control': 'no-store', 'Content-Security-Policy': "default-src 'none'" })
    .type('svg')
    .send(renderSVG(address, { ecc: 'M' }));
};
