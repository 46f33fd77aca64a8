import type { Request, Response } from 'express';
import type { Language } from '../../domain/transactions/input';
import type { Dependencies, Needs } from '../dependencies';
import { languageOfRequest } from '../http/language';
import type { AppFolder, AppSettings } from './rendered-pages';

/** A page that runs in the browser. web/{folder} has its code. */
export interface AppPage<Folder extends AppFolder> extends Omit<PageHeaderOptions, 'language'> {
  folder: Folder;
  titles: Readonly<Record<Language, string>>;
}

/** What every page needs. */
export type PageDependencies = Needs<'builtPages'> & {
  config: Pick<Dependencies['config'], 'BRAND' | 'DEFAULT_LANGUAGE'>;
};

/**
 * Sends the shell of an app page: the bar at the top, and the script and the styles that make the rest of the page. `language`: by
 * default, the language that the browser prefers.
 */
export function sendAppPage<Folder extends AppFolder>(
  dependencies: PageDependencies,
  request: Request,
  response: Response,
  { folder, titles, ...headers }: AppPage<Folder>,
  settings: AppSettings[Folder],
  language = languageOfRequest({ dependencies, request }),
): void {
  const { config, builtPages } = dependencies;
  const { script = '', preloads, styles } = builtPages.entryOf(folder);
  const shared = { folder, brand: config.BRAND, title: titles[language], logo: builtPages.logo };
  const shell = { language, script, preloads, styles, settings: { ...settings, ...shared } };
  response
    .status(200)
    .set(pageHeaders({ ...headers, language }))
    .type('html')
    .send(builtPages.render('shell', shell));
}

/**
 * Headers of a page. With these headers, nobody caches the page, shows it in a frame, puts it into a search index, or gets its URL as a
 * referrer.
 */
export const uncachedHeaders = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex, nofollow',
  'X-Frame-Options': 'DENY',
} as const;

/** The default content security policy: a page loads everything from this host, sends no form, and is in no frame. */
const defaultSources = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'connect-src': "'self'",
  'form-action': "'none'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
};

export interface PageHeaderOptions {
  /** The language of the page, for example `pt-BR`. */
  language: string;
  /** Directives of the content security policy that differ from the default. */
  sources?: Readonly<Record<string, string>>;
  /** Whether the page may use the camera. */
  camera?: boolean;
}

/** The headers of a page. */
export function pageHeaders({ language, sources, camera = false }: PageHeaderOptions): Record<string, string> {
  const directives = Object.entries({ ...defaultSources, ...sources });
  return {
    ...uncachedHeaders,
    'Content-Security-Policy': directives.map((directive) => directive.join(' ')).join('; '),
    'Permissions-Policy': `camera=(${camera ? 'self' : ''}), microphone=(), geolocation=(), display-capture=()`,
    'Content-Language': language,
  };
}
