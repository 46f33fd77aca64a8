import type { Response } from 'express';
import type { Language } from '../../../domain/language';
import type { Dependencies } from '../../dependencies';
import { frameScript, setPageHeaders } from '../../pages/framed-page';
import type { FrameEvent, FrameSettings, HostedContent, HostedResult } from '../../pages/rendered-pages';

export interface HostedPageContent {
  language: Language;
  content: HostedContent;
  /** The address of the button back to the site of the caller. */
  back?: string | undefined;
  /** Which sites may show the page in a frame. */
  frame?: FrameSettings | undefined;
  /** What the page tells the page around it. */
  event?: FrameEvent | undefined;
}

const resultStatuses: Record<HostedResult, number> = {
  confirmed: 200,
  denied: 200,
  noted: 200,
  blocked: 410,
  expired: 410,
  closed: 410,
  unknown: 404,
  unavailable: 503,
};

/** Sends a page of a confirmation. Its buttons are a form; it has a script only where a site may show it in a frame. */
export function sendHostedPage(
  { config, builtPages }: Pick<Dependencies, 'config' | 'builtPages'>,
  response: Response,
  { language, content, back, frame, event }: HostedPageContent,
): void {
  const status = content.kind === 'result' ? resultStatuses[content.result] : 200;
  const { scriptSource, files } = frameScript(builtPages, frame);
  const sources = { 'script-src': scriptSource, 'connect-src': "'none'", 'form-action': "'self'" };
  setPageHeaders(response.status(status), { language, sources }, frame);
  if (status === 503) response.set('Retry-After', '2');
  const { styles } = builtPages.entryOf('hosted');
  const html = builtPages.render('hosted', {
    ...{ language, brand: config.BRAND, logo: builtPages.logo, styles, content },
    ...files,
    ...(back === undefined ? {} : { back }),
    ...(frame ? { settings: { frame, ...(event ? { event } : {}) } } : {}),
  });
  response.type('html').send(html);
}
