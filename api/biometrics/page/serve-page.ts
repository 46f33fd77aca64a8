import type { Response } from 'express';
import { pageHeaders, serveAssets } from '../../http/assets/serve-assets';
import { type ProblemCode, problems } from '../../http/problems';
import type { ClosedReason } from './biometrics-texts';
import { biometricsAssets, type ClosedContent, renderClosed, renderShell, type ShellContent } from './page-shell';

/** The content security policy: everything comes from this host. */
const contentSecurityPolicy = (scriptDirectives: string) =>
  [
    ...[
      "default-src 'none'",
      "style-src 'self'",
      "img-src 'self' blob:",
      ...(scriptDirectives ? [scriptDirectives] : []),
    ],
    ...["form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'"],
  ].join('; ');

/** `media-src` is for browsers that treat the camera stream as media. */
const shellPolicy = contentSecurityPolicy("script-src 'self'; connect-src 'self'; media-src blob: mediastream:");

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
    .set(pageHeaders)
    .set('Content-Security-Policy', shellPolicy)
    .set('Permissions-Policy', 'camera=(self), microphone=(), geolocation=(), display-capture=()')
    .set('Content-Language', content.language)
    .type('html')
    .send(renderShell(content));
}

/** Sends the page of a closed link: 410, 404, 403, or 503 with Retry-After. */
export function sendClosed(response: Response, content: ClosedContent): void {
  const problem = problems[problemCodes[content.reason]];
  response
    .status(problem.status)
    .set(pageHeaders)
    .set('Content-Security-Policy', contentSecurityPolicy(''))
    .set('Permissions-Policy', 'camera=()')
    .set('Content-Language', content.language);
  if ('retryAfterSeconds' in problem) response.set('Retry-After', String(problem.retryAfterSeconds));
  response.type('html').send(renderClosed(content));
}

/** GET /biometrics/assets/{version}/{folder}/browser/{file}. */
export const showAsset = serveAssets(biometricsAssets);
