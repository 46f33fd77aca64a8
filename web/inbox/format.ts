const urlPattern = /https?:\/\/[^\s<>"'`\\]+/g;

/** A phone in its usual format. Other addresses are unchanged. */
export function formatAddress(address: string): string {
  const brazil = /^\+55(\d{2})(\d{4,5})(\d{4})$/.exec(address);
  if (brazil) return `+55 ${brazil[1]} ${brazil[2]}-${brazil[3]}`;
  const northAmerica = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(address);
  return northAmerica ? `+1 ${northAmerica[1]} ${northAmerica[2]}-${northAmerica[3]}` : address;
}

export const isToday = (iso: string): boolean => new Date(iso).toDateString() === new Date().toDateString();

export const formatTime = (iso: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }).format(new Date(iso));

/** The time of day for an instant of today, or the date for any other instant. */
export const formatTimeOrDate = (iso: string, locale: string): string =>
  isToday(iso)
    ? formatTime(iso, locale)
    : new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' }).format(new Date(iso));

export const formatDay = (iso: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' }).format(new Date(iso));

/** The codes in a text, without repeats. A code has 4 to 10 digits, and is not part of a link, a phone number or an amount. */
export function findCodes(text: string): string[] {
  const withoutLinks = text.replace(urlPattern, ' ');
  return [...new Set(withoutLinks.match(/(?<![\d+.,/-])\b\d{4,10}\b(?![.,/-]\d)/g) ?? [])];
}

/** Splits a text into plain segments and links. */
export function splitLinks(text: string): { text: string; url?: string }[] {
  const segments: { text: string; url?: string }[] = [];
  let end = 0;
  for (const match of text.matchAll(urlPattern)) {
    // Punctuation after a link is not part of it.
    const url = match[0].replace(/[.,;:!?)\]}]+$/, '');
    segments.push({ text: text.slice(end, match.index) }, { text: url, url });
    end = match.index + url.length;
  }
  return [...segments, { text: text.slice(end) }].filter((segment) => segment.text !== '');
}
