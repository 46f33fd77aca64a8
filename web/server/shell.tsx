import { appTexts } from '../app/app-texts';
import { languageOf } from '../app/language';
import type { ShellProps } from '../api-types';
import { Frame } from '../kit/frame';

/** An app page before its script runs: the bar, so that the first paint does not wait for the script. */
export function Shell({ language, script, preloads, styles, settings }: ShellProps) {
  const { title, brand, logo } = settings;
  const texts = appTexts[languageOf(language)];
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
        <script type="module" src={script} />
      </head>
      <body data-settings={JSON.stringify(settings)}>
        <div id="app">
          <Frame brand={brand} logo={logo} skip={texts.skip}>
            <main class="app" id="main">
              <p class="soft">{texts.loading}</p>
              <noscript>
                <p class="alert alert-warn">{texts.noScript}</p>
              </noscript>
            </main>
          </Frame>
        </div>
      </body>
    </html>
  );
}
