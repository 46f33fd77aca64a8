import type { Response } from 'express';
import type { CallerSite } from '../http/caller-site';
import type { BuiltPages } from './built-pages';
import { type PageHeaderOptions, pageHeaders } from './page-headers';
import type { FrameSettings } from './rendered-pages';

/** The settings of a page for the script that tells the page around it what happened. Undefined if no site may frame the page. */
export const frameOf = ({ frameOrigins }: CallerSite, transactionId: string): FrameSettings | undefined =>
  frameOrigins.length === 0 ? undefined : { origins: frameOrigins, transactionId };

/** Sets the headers of a page that the origins of `frame` may show in a frame. Without it, no page may. */
export function setPageHeaders(response: Response, options: PageHeaderOptions, frame: FrameSettings | undefined): void {
  const { sources } = options;
  if (!frame) return void response.set(pageHeaders(options));
  const headers = pageHeaders({ ...options, sources: { ...sources, 'frame-ancestors': frame.origins.join(' ') } });
  // It cannot name origins. Browsers ignore it beside frame-ancestors.
  delete headers['X-Frame-Options'];
  response.set(headers).removeHeader('X-Frame-Options');
}

/** The script of a framed page that needs no other script, and the source that allows it. */
export function frameScript(builtPages: BuiltPages, frame: FrameSettings | undefined) {
  if (!frame) return { scriptSource: "'none'", files: {} };
  const { script, preloads } = builtPages.entryOf('frame');
  return { scriptSource: "'self'", files: { script, preloads } };
}
