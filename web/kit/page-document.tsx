import type { ComponentChildren } from 'preact';

export interface PageDocumentProps {
  language: string;
  title: string;
  brand: string;
  /** The URL paths of the style sheets. Style sheets, scripts and logo are all on the host of the page. */
  styles: readonly string[];
  script?: string | undefined;
  /** The URL paths of the files that the script imports. The browser loads them at the same time as the script. */
  preloads?: readonly string[] | undefined;
  logo: string;
  /** CSS that the content security policy of the page allows by its hash. It must have no character that HTML escapes. */
  style?: string | undefined;
  class?: string;
  /** Data for the scripts of the page. It must not contain personal data. */
  settings?: object;
  children: ComponentChildren;
}

/** The HTML of a page. Search engines do not index the page, and the browser does not send its address to other sites. */
export function PageDocument({
  language,
  title,
  brand,
  logo,
  styles,
  script,
  preloads = [],
  style,
  ...content
}: PageDocumentProps) {
  const { settings, children, class: bodyClass } = content;
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="referrer" content="no-referrer" />
        <title>{`${title} · ${brand}`}</title>
        <link rel="icon" href={logo} />
        {styles.map((href) => (
          <link rel="stylesheet" href={href} />
        ))}
        {style !== undefined && <style>{style}</style>}
        {preloads.map((href) => (
          <link rel="modulepreload" href={href} />
        ))}
        {script && <script type="module" src={script} />}
      </head>
      <body class={bodyClass} data-settings={settings && JSON.stringify(settings)}>
        {children}
      </body>
    </html>
  );
}
