import type { BiometricsPageProps } from '../api-types';
import { languageOf } from '../app/language';
import { PageDocument } from '../kit/page-document';
import { PersonFooter } from '../person/person-footer';
import { PersonHeader } from '../person/person-header';
import { biometricsTexts } from './biometrics-texts';

/** What the page shows before its script runs, and in a browser without scripts. */
export function BiometricsShell({ settings, ...page }: BiometricsPageProps) {
  const { language, brand, logo, logoSize, supportUrl } = page;
  const { title, loading, noScript } = biometricsTexts[languageOf(language)];
  return (
    <PageDocument
      class="person-page"
      {...page}
      title={title}
      settings={{ brand, logo, logoSize, supportUrl, ...settings }}
    >
      <div id="app">
        <PersonHeader {...page} />
        <main class="person">
          <p class="lead">{loading}</p>
          <noscript>
            <p class="alert alert-warn">{noScript}</p>
          </noscript>
        </main>
        <PersonFooter {...page} />
      </div>
    </PageDocument>
  );
}
