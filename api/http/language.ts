import { type Language, languageOf, languages } from '../../domain/transactions/input';
import type { Dependencies } from '../dependencies';
import type { Call } from './route';

/** The language of the response: a language that the request accepts, or the default language. */
export function languageOfRequest({
  request,
  dependencies,
}: Pick<Call, 'request'> & { dependencies: { config: Pick<Dependencies['config'], 'DEFAULT_LANGUAGE'> } }): Language {
  const acceptedLanguage =
    request.get('accept-language') === undefined ? false : request.acceptsLanguages(...languages);
  return languageOf(acceptedLanguage === false ? undefined : acceptedLanguage, dependencies.config.DEFAULT_LANGUAGE);
}

/**
 * The headers of a response in this language. The response depends on the Accept-Language header, so caches must keep one copy for each
 * language.
 */
export const languageHeaders = (language: Language): Record<string, string> => ({
  'Content-Language': language,
  Vary: 'Accept-Language',
});
