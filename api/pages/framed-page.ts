import type { Response } from 'express';
import type { Brand } from '../../domain/brand/brand';
import type { Language } from '../../domain/transactions/input';
import type { CallerSite } from '../http/caller-site';
import { type ProblemCode, problems } from '../http/problems';
import { type PageDependencies, type PageHeaderOptions, pageHeaders } from './app-page';
import { personBrandOf } from './person-brand';
import type { FrameEvent, FrameSettings, HostedContent, ClosedReason } from './rendered-pages';

/**
 * The settings for the script that tells the site of the caller what happens on the page in its frame. Undefined if no site may show the
 * page in a frame.
 */
export const frameOf = ({ frameOrigins }: CallerSite, transactionId: string): FrameSettings | undefined =>
  frameOrigins.length === 0 ? undefined : { origins: frameOrigins, transactionId };

/** Sets the headers of a page. The origins in `frame` may show the page in a frame. Without `frame`, no origin may do this. */
export function setPageHeaders(response: Response, options: PageHeaderOptions, frame: FrameSettings | undefined): void {
  const { sources } = options;
  if (!frame) return void response.set(pageHeaders(options));
  response.set(pageHeaders({ ...options, sources: { ...sources, 'frame-ancestors': frame.origins.join(' ') } }));
  // X-Frame-Options cannot name origins, and browsers ignore it if frame-ancestors is present.
  response.removeHeader('X-Frame-Options');
}

/** The options of a page for a person that works without scripts (see `sendPersonPage`). */
export interface PersonPage {
  language: Language;
  /** The brand of the tenant. Undefined: the brand of the service. */
  brand?: Brand | undefined;
  /** The address of the button back to the site of the caller. */
  back?: string | undefined;
  /** Which sites may show the page in a frame. */
  frame?: FrameSettings | undefined;
  /** What the page tells the site that shows it in a frame. */
  event?: FrameEvent | undefined;
  /** Why the person cannot do what the link is for. The response has the HTTP status of this problem. */
  problem?: ProblemCode | undefined;
}

/** The name and content of a page for a person: the page of a confirmation, or the page of a biometrics link that cannot be used. */
type PersonPageContent =
  | { name: 'hosted'; props: { content: HostedContent } }
  | { name: 'closedLink'; props: { reason: ClosedReason } };

/** Sends a page that works without scripts: its buttons are forms. The page has a script only if a site may show it in a frame. */
export function sendPersonPage(
  dependencies: PageDependencies,
  response: Response,
  { name, props }: PersonPageContent,
  { language, brand, back, frame, event, problem }: PersonPage,
): void {
  const { builtPages } = dependencies;
  const branded = personBrandOf(dependencies, brand);
  const row = problem === undefined ? { status: 200 } : problems[problem];
  const { script, preloads } = builtPages.entryOf('frame');
  const scripts = { 'script-src': frame ? "'self'" : "'none'", 'connect-src': "'none'", 'form-action': "'self'" };
  const sources = { ...branded.sources, ...scripts };
  setPageHeaders(response.status(row.status), { language, sources }, frame);
  if ('retryAfterSeconds' in row) response.set('Retry-After', String(row.retryAfterSeconds));
  const shared = {
    ...branded.props,
    ...{ language, styles: builtPages.entryOf('hosted').styles },
    ...(back === undefined ? {} : { back }),
    ...(frame ? { script, preloads, settings: { frame, ...(event ? { event } : {}) } } : {}),
  };
  // Both branches do the same. TypeScript needs both, because `render` accepts only the `props` that belong to `name`.
  const html =
    name === 'hosted'
      ? builtPages.render(name, { ...shared, ...props })
      : builtPages.render(name, { ...shared, ...props });
  response.type('html').send(html);
}
