export type Language = 'pt-BR' | 'en' | 'es';

export const languages: readonly Language[] = ['pt-BR', 'en', 'es'];

/** The supported language of a tag such as `es-AR` or `pt_BR`. If the language of the tag is not supported, the fallback. */
export function languageOf(tag: string | undefined, fallback: Language): Language {
  const wanted = tag?.slice(0, 2).toLowerCase();
  return languages.find((language) => language.slice(0, 2).toLowerCase() === wanted) ?? fallback;
}

/** What the person has confirmed or denied, and when (ISO 8601). */
export interface PersonFacts {
  phoneConfirmedAt?: string;
  emailConfirmedAt?: string;
  /** The person denied the transaction. */
  deniedAt?: string;
  /** The newest decision on images of the person. */
  biometrics?: { status: 'Approved' | 'Rejected' | 'Inconclusive'; at: string };
}

/** The client that requested a hosted page, and where the person goes afterwards. */
export interface PageRequester {
  clientId: string;
  /** The return URL, as the URL parser writes it. It was allowed when the page was requested. */
  returnUrl?: string;
}
