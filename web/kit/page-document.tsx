import type { ComponentChildren } from 'preact';

export interface PageDocumentProps {
  language: string;
  title: string;
  brand: string;
  /** URL paths on this host, also of the logo. */
  styles: readonly string[];
  script?: string | undefined;
  /** Chunks that the script imports. */
  preloads?: readonly string[] | undefined;
  logo: string;
  class?: string;
  /** Scripts of the page read it. It has no personal data. */
  settings?: object;
  children: ComponentChildren;
}

/** The HTML of a page. It is not indexed, and no other site learns its address. */
export function PageDocument({
  language,
  title,
  brand,
  logo,
  styles,
  script,
  preloads = [],
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
        <link rel="icon" href={logo} type="image/svg+xml" />
        {styles.map((href) => (
          <link rel="stylesheet" href={href} />
        ))}
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
