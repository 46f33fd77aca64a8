import { currentLanguage, type Language } from './language';
import { useStore } from './store';

/** A text table for each language. All have one type, so a missing text is a compile error. */
export type TextTables<Texts> = Readonly<Record<Language, Texts>>;

/** The texts in the language of the page. The component renders again when the language changes. */
export const useTexts = <Texts>(tables: TextTables<Texts>): Texts => tables[useStore(currentLanguage)];

/** The texts in the current language, outside of components. */
export const textsNow = <Texts>(tables: TextTables<Texts>): Texts => tables[currentLanguage.get()];
