import type { Response } from 'express';
import type { Language } from '../../../domain/language';
import type { Dependencies } from '../../dependencies';
import { type ProblemCode, problems } from '../../http/problems';
import { frameScript, setPageHeaders } from '../../pages/framed-page';
import type { BiometricsSettings, ClosedReason, FrameEvent, FrameSettings } from '../../pages/rendered-pages';

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

type PageDependencies = Pick<Dependencies, 'config' | 'builtPages'>;

/** Sends the page. Only its script opens the link, so a message preview changes nothing: previews run no scripts. */
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

export interface ClosedContent {
  language: Language;
  reason: ClosedReason;
  /** The address of the button back to the site of the caller. */
  back?: string | undefined;
  frame?: FrameSettings | undefined;
  /** What the page tells the page around it. */
  event?: FrameEvent | undefined;
}

/** Sends the page of a closed link: 410, 404, 403, or 503 with Retry-After. */
export function sendClosed(
  { config, builtPages }: PageDependencies,
  response: Response,
  { language, reason, back, frame, event }: ClosedContent,
): void {
  const problem = problems[problemCodes[reason]];
  const { scriptSource, files } = frameScript(builtPages, frame);
  const sources = { 'script-src': scriptSource, 'connect-src': "'none'" };
  setPageHeaders(response.status(problem.status), { language, sources }, frame);
  if ('retryAfterSeconds' in problem) response.set('Retry-After', String(problem.retryAfterSeconds));
  const { styles } = builtPages.entryOf('hosted');
  const html = builtPages.render('closedLink', {
    ...{ language, brand: config.BRAND, logo: builtPages.logo, styles, reason },
    ...files,
    ...(back === undefined ? {} : { back }),
    ...(frame ? { settings: { frame, ...(event ? { event } : {}) } } : {}),
  });
  response.type('html').send(html);
}
