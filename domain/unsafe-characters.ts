/**
 * Unsafe characters: control characters (C0 and C1), line and paragraph separators, halves of surrogate pairs, characters that change the
 * direction of text, invisible annotations (U+FFF9 to U+FFFB), and tags (U+E0000 to U+E007F). Some of them can forge lines of logs, some
 * hide what a text says, and some cannot be stored. Letters of every script, joiners (U+200C, U+200D) and emoji are safe. There is one
 * exception: the emoji for flags of regions, such as the flag of Scotland, are not safe, because they contain tags.
 */
const unsafeCharacters =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;
const unsafeCharactersExceptLineFeed =
  /[^\P{Cc}\n]|[\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;

const codePointOf = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/**
 * What is wrong with a text from outside the service, as the end of a sentence. Undefined if all its characters are safe.
 * `lineFeed`: whether the text may have several lines.
 */
export function unsafeCharacterIssue(text: string, { lineFeed = false } = {}): string | undefined {
  const [character] = (lineFeed ? unsafeCharactersExceptLineFeed : unsafeCharacters).exec(text) ?? [];
  if (character === undefined) return undefined;
  return `must not contain ${codePointOf(character)}: remove control characters, line separators, direction marks, annotations and tags`;
}
