/** A phone in its usual format. Other addresses are unchanged. */
export function formatAddress(address) {
  const brazil = /^\+55(\d{2})(\d{4,5})(\d{4})$/.exec(address);
  if (brazil) return `+55 ${brazil[1]} ${brazil[2]}-${brazil[3]}`;
  const northAmerica = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(address);
  return northAmerica ? `+1 ${northAmerica[1]} ${northAmerica[2]}-${northAmerica[3]}` : address;
}

const sameDay = (a, b) => a.toDateString() === b.toDateString();

export function formatTime(iso) {
  return new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' }).format(new Date(iso));
}

/** The time when the instant is today, otherwise the date. */
export function formatTimeOrDate(iso) {
  const date = new Date(iso);
  if (sameDay(date, new Date())) return formatTime(iso);
  return new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' }).format(date);
}

export function formatDay(iso) {
  const date = new Date(iso);
  if (sameDay(date, new Date())) return 'Today';
  return new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' }).format(date);
}

const urlPattern = /https?:\/\/[^\s<>"'`\\]+/g;

/** The codes in a text: 4 to 10 digits that are not part of a link, a phone number or an amount. */
export function findCodes(text) {
  const withoutLinks = text.replace(urlPattern, ' ');
  return [...new Set(withoutLinks.match(/(?<![\d+.,/-])\b\d{4,10}\b(?![.,/-]\d)/g) ?? [])];
}

/** Splits a text into plain segments and links. */
export function splitLinks(text) {
  const segments = [];
  let end = 0;
  for (const match of text.matchAll(urlPattern)) {
    const url = match[0].replace(/[.,;:!?)\]}]+$/, '');
    segments.push({ text: text.slice(end, match.index) }, { text: url, url });
    end = match.index + url.length;
  }
  return [...segments, { text: text.slice(end) }].filter((segment) => segment.text !== '');
}

export const channelNames = { sms: 'SMS', whatsapp: 'WhatsApp', email: 'E-mail' };
