import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { Button } from '../kit/button';
import { Frame } from '../kit/frame';
import type { SiteInputs } from './inputs';

/** What all pages of the site share. */
export interface SiteContext extends Pick<SiteInputs, 'assetUrl'> {
  /** The URL of the search index. */
  searchIndex: string;
}

export interface PageContent {
  path: string;
  title: string;
  description: string;
  /** Which link of the bar is current. */
  area?: 'docs' | 'api' | 'problems';
  children: ComponentChildren;
}

const barLinks = [
  { area: 'docs', href: '/docs', label: 'Guides' },
  { area: 'api', href: '/docs/api', label: 'API reference' },
  { area: 'problems', href: '/docs/problems', label: 'Problems' },
] as const;

function SiteDocument({ context, page }: { context: SiteContext; page: PageContent }) {
  const { assetUrl, searchIndex } = context;
  const logo = assetUrl('kit/logo.svg');
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="description" content={page.description} />
        <title>{page.path === '/' ? `Countersign: ${page.title}` : `${page.title} · Countersign`}</title>
        <link rel="icon" href={logo} type="image/svg+xml" />
        <link rel="stylesheet" href={assetUrl('site.css')} />
        <script type="module" src={assetUrl('browser/site.ts')} />
      </head>
      <body data-search-index={searchIndex}>
        <Frame
          brand="Countersign"
          logo={logo}
          skip="Skip to content"
          links={barLinks.map(({ area, ...link }) => ({ ...link, isCurrent: area === page.area }))}
          actions={
            <Button tone="small" data-search hidden>
              Search <kbd>/</kbd>
            </Button>
          }
          footer={
            <>
              <span>Countersign, Apache License 2.0.</span>
              <a href="/docs/changelog">Changelog</a>
              <a href="/openapi.json">OpenAPI document</a>
              <a href="/docs/security">Security</a>
            </>
          }
        >
          {page.children}
        </Frame>
      </body>
    </html>
  );
}

/** The HTML of a page. */
export const renderPage = (context: SiteContext, page: PageContent): string =>
  `<!doctype html>\n${renderToString(<SiteDocument context={context} page={page} />)}\n`;
