/**
 * The ways in which one phone may be written. WhatsApp still knows many Brazilian mobiles without the ninth digit
 * that was put before all of them, so a reply can come from a number that looks like another one.
 */
export function writtenForms(number: string): string[] {
  const [, areaCode, nine, rest] = /^\+55(\d{2})(9?)([6-9]\d{7})$/.exec(number) ?? [];
  if (!areaCode || !rest) return [number];
  return nine ? [number, `+55${areaCode}${rest}`] : [number, `+55${areaCode}9${rest}`];
}
