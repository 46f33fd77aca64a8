/** What TwiML says, and where to ask again if the person presses a key. */
export interface SpokenTwiml {
  text: string;
  keyUrl?: string;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const decode = (xml: string): string =>
  xml.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return entities[name ?? ''] ?? whole;
  });

/**
 * Reads the part of TwiML that the service uses. Digits that are said one by one are joined, so that the text has the code. A part that the
 * call says twice in a row is in the text once.
 */
export function readTwiml(twiml: string): SpokenTwiml {
  const parts: string[][] = [[]];
  for (const [, tag, said] of twiml.matchAll(/<(\/?Gather|Say)\b[^>]*>(?:([^<]*)<\/Say>)?/g)) {
    if (tag === 'Say') parts.at(-1)?.push(decode(said ?? '').trim());
    else parts.push([]);
  }
  const texts = parts
    .map((part) => part.join(' ').replace(/(?<=(?:^| )\d) (?=\d(?: |$))/g, ''))
    .filter((text, index, all) => text !== '' && text !== all.slice(0, index).findLast((other) => other !== ''));
  const keyUrl = /<Gather\b[^>]*\baction="([^"]*)"/.exec(twiml)?.[1];
  return { text: texts.join(' '), ...(keyUrl === undefined ? {} : { keyUrl: decode(keyUrl) }) };
}
