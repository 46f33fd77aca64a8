import { createStore } from './store';

export const languages = ['pt-BR', 'en', 'es'] as const;

export type Language = (typeof languages)[number];

/** The name of each language in that language, such as "Español", for the switch of the language. */
export const languageNames: Record<Language, string> = { 'pt-BR': 'Português', en: 'English', es: 'Español' };

/** The locale of each language, for the format of dates and numbers. */
export const locales: Record<Language, string> = { 'pt-BR': 'pt-BR', en: 'en-GB', es: 'es-ES' };

/** The language with this tag. English if the service has no texts for the tag. */
export const languageOf = (tag: string | null): Language => languages.find((language) => language === tag) ?? 'en';

/** The key of the chosen language in the storage of the browser. */
const storageKey = 'countersign.language';

/** The language of the page. `loadLanguage` sets its first value. */
export const currentLanguage = createStore<Language>('en');

function showLanguage(language: Language): void {
  document.documentElement.lang = language;
  currentLanguage.set(language);
}

/** The language that the user chose earlier in this browser. Null without a choice, or if the browser blocks the storage of pages. */
function readChosen(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

/**
 * Uses the language that the user chose earlier in this browser. Without a choice, uses the language of the HTML, which the API chose.
 * `canChoose`: whether the page has a switch of the language.
 */
export function loadLanguage({ canChoose }: { canChoose: boolean }): void {
  const saved = canChoose ? readChosen() : null;
  showLanguage(languageOf(saved ?? document.documentElement.lang));
}

/** Shows the page in this language, and remembers the language in this browser. */
export function chooseLanguage(language: Language): void {
  try {
    localStorage.setItem(storageKey, language);
  } catch {
    // If the browser blocks the storage of pages, the choice lasts until the page is closed or reloaded.
  }
  showLanguage(language);
}
