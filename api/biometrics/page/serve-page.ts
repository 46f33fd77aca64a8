import type { Response } from 'express';
import { type ProblemCode, problems } from '../../http/problems';
import { pageHeaders } from '../../pages/page-headers';
import { serveAssets } from '../../pages/serve-assets';
import type { ClosedReason } from './biometrics-texts';
import { biometricsAssets, type ClosedContent, renderClosed, renderShell, type ShellContent } from './page-shell';

/** Images are shown by blob URLs. `media-src` is for browsers that treat the camera stream as media. */
const shellSources = { 'img-src': "'self' blob:", 'media-src': 'blob: mediastream:' };

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

/** Sends the page. Only its script opens the link, so a message preview changes nothing: previews run no scripts. */
export function sendShell(response: Response, content: ShellContent): void {
  response
    .status(200)
    .set(pageHeaders({ language: content.language, sources: shellSources, camera: true }))
    .type('html')
    .send(renderShell(content));
}

/** Sends the page of a closed link: 410, 404, 403, or 503 with Retry-After. */
export function sendClosed(response: Response, content: ClosedContent): void {
  const problem = problems[problemCodes[content.reason]];
  response
    .status(problem.status)
    .set(pageHeaders({ language: content.language, sources: { 'script-src': "'none'", 'connect-src': "'none'" } }));
  if ('retryAfterSeconds' in problem) response.set('Retry-After', String(problem.retryAfterSeconds));
  response.type('html').send(renderClosed(content));
}

/** GET /biometrics/assets/{version}/{folder}/browser/{file}. */
export const showAsset = serveAssets(biometricsAssets);
