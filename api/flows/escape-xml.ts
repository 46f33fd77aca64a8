/**
 * Makes a text safe to stand in SVG. Characters that XML cannot hold at all, such as most controls and halves of pairs,
 * become a question mark: one of them would make the whole drawing unreadable.
 */
export function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '?')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
