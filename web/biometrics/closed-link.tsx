import type { ClosedLinkProps } from '../api-types';
import { languageOf } from '../app/language';
import { PageDocument } from '../kit/page-document';
import { PersonFooter } from '../person/person-footer';
import { PersonHeader } from '../person/person-header';
import { biometricsTexts, fill } from './biometrics-texts';
import { Icon } from './icon';

/** The page of a link that this browser cannot use. It works without scripts. */
export function ClosedLink({ reason, back, settings, ...page }: ClosedLinkProps) {
  const { language, brand } = page;
  const { title, closed, back: backTexts } = biometricsTexts[languageOf(language)];
  const { heading, text } = closed[reason];
  return (
    <PageDocument class="person-page" {...page} title={title} {...(settings ? { settings } : {})}>
      <PersonHeader {...page} />
      <main class="person" data-screen="closed">
        <h1>{fill(heading, { brand })}</h1>
        <div class="seal">
          <Icon name="clock" />
        </div>
        <p class="lead">{fill(text, { brand })}</p>
        {back !== undefined && (
          <p class="actions">
            <a class="button button-main" href={back} target="_top">
              {fill(backTexts.link, { host: new URL(back).host })}
            </a>
          </p>
        )}
      </main>
      <PersonFooter {...page} />
    </PageDocument>
  );
}
