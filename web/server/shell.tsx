import { appTexts } from '../app/app-texts';
import { languageOf } from '../app/language';
import type { ShellProps } from '../api-types';
import { Frame } from '../kit/frame';
import { PageDocument } from '../kit/page-document';

/** An app page before its script runs. It shows the bar and a short text, so that the user sees something at once. */
export function Shell({ language, script, preloads, styles, settings }: ShellProps) {
  const { title, brand, logo } = settings;
  const texts = appTexts[languageOf(language)];
  return (
    <PageDocument {...{ language, title, brand, logo, styles, script, preloads, settings }}>
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
    </PageDocument>
  );
}
