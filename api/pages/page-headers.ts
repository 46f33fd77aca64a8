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
