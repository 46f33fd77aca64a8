import type { NotFoundProps } from '../api-types';
import { appTexts } from '../app/app-texts';
import { languageOf } from '../app/language';
import type { TextTables } from '../app/use-texts';
import { TextWithCode } from '../kit/content';
import { Frame } from '../kit/frame';
import { PageDocument } from '../kit/page-document';
import { en } from './texts/en';
import { es } from './texts/es';
import { ptBr } from './texts/pt-br';
import type { NotFoundTexts } from './texts/texts';

const notFoundTexts: TextTables<NotFoundTexts> = { 'pt-BR': ptBr, en, es };

/** The page that is always offered. */
const docsPath = '/docs';

/** The page for an unknown path. It works without scripts. */
export function NotFoundPage({ traceId, page, operation, ...document }: NotFoundProps) {
  const language = languageOf(document.language);
  const texts = notFoundTexts[language];
  const { skip, traceId: traceIdText } = appTexts[language];
  return (
    <PageDocument {...document} title={texts.heading}>
      <Frame brand={document.brand} logo={document.logo} skip={skip}>
        <main class="app" id="main">
          <div class="view view-centered">
            <h1>{texts.heading}</h1>
            {operation !== undefined && (
              <p>
                <TextWithCode text={texts.operation(operation)} />
              </p>
            )}
            <p class="soft">{texts.text}</p>
            <p class="soft small">{traceIdText(traceId)}</p>
            <div class="form-actions">
              {page !== undefined && page !== docsPath && (
                <a class="button button-main" href={page}>
                  {texts.page(page)}
                </a>
              )}
              <a class={page === docsPath ? 'button button-main' : 'button'} href={docsPath}>
                {texts.docs}
              </a>
            </div>
          </div>
        </main>
      </Frame>
    </PageDocument>
  );
}
