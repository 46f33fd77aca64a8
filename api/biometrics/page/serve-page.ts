import type { Response } from 'express';
import type { Language } from '../../../domain/person';
import type { Dependencies } from '../../dependencies';
import type { ProblemCode } from '../../http/problems';
import { type PersonPage, sendPersonPage, setPageHeaders } from '../../pages/framed-page';
import type { BiometricsSettings, ClosedReason } from '../../pages/rendered-pages';

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

type PageDependencies = Pick<Dependencies, 'config' | 'builtPages'>;

/**
 * Sends the page of a biometrics link. Only the script of the page sends POST …/open, which makes the browser the owner of the link. So the
 * preview of a message changes nothing: previews run no scripts.
 */
export function sendShell(
  { config, builtPages }: PageDependencies,
  response: Response,
  { language, settings }: { language: Language; settings: BiometricsSettings },
): void {
  const html = builtPages.render('biometrics', {
    ...{ language, brand: config.BRAND, logo: builtPages.logo },
    ...builtPages.entryOf('biometrics'),
    settings,
  });
  setPageHeaders(response.status(200), { language, sources: shellSources, camera: true }, settings.frame);
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
