export type Language = 'pt-BR' | 'en' | 'es';

export const languages: readonly Language[] = ['pt-BR', 'en', 'es'];

/** The supported language of a tag such as `es-AR` or `pt_BR`. If the language of the tag is not supported, the fallback. */
export function languageOf(tag: string | undefined, fallback: Language): Language {
  const wanted = tag?.slice(0, 2).toLowerCase();
  return languages.find((language) => language.slice(0, 2).toLowerCase() === wanted) ?? fallback;
}
