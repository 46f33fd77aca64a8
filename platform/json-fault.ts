import { type ParseError, ParseErrorCode, visit } from 'jsonc-parser';

/** A place in a text as editors tell it. */
export interface TextPlace {
  /** From 1. */
  line: number;
  /** From 1, in characters. */
  column: number;
}

/** Why a text is no JSON, and where. */
export interface JsonFault extends TextPlace {
  /** What is wrong there, without a word of the text: "a comma is expected". */
  what: string;
}

const words: Partial<Record<ParseErrorCode, string>> = {
  [ParseErrorCode.InvalidSymbol]: 'a text in double quotes, a number, true, false or null is expected',
  [ParseErrorCode.InvalidNumberFormat]: 'a number that JSON has not',
  [ParseErrorCode.PropertyNameExpected]: 'a name in double quotes is expected',
  [ParseErrorCode.ValueExpected]: 'a value is expected',
  [ParseErrorCode.ColonExpected]: 'a colon is expected',
  [ParseErrorCode.CommaExpected]: 'a comma is expected',
  [ParseErrorCode.CloseBraceExpected]: 'a } is expected',
  [ParseErrorCode.CloseBracketExpected]: 'a ] is expected',
  [ParseErrorCode.EndOfFileExpected]: 'the end is expected',
  [ParseErrorCode.InvalidCommentToken]: 'a comment, which JSON has not',
  [ParseErrorCode.UnexpectedEndOfComment]: 'a comment, which JSON has not',
  [ParseErrorCode.UnexpectedEndOfString]: 'a text without the quote that ends it',
  [ParseErrorCode.InvalidEscapeCharacter]: 'a text with an escape that JSON has not',
  [ParseErrorCode.InvalidUnicode]: 'a text with an escape that JSON has not',
  [ParseErrorCode.InvalidCharacter]: 'a text with a character that has to be escaped',
};

/** Nested deeper than it walks; its place is of no use to anybody. */
const isTooDeep = (error: unknown) => error instanceof RangeError;

/** The first fault of a text that `JSON.parse` refused. Undefined where no place of it can be told. */
export function jsonFaultOf(text: string): JsonFault | undefined {
  let first: Pick<ParseError, 'error' | 'offset'> | undefined;
  const onError = (error: ParseErrorCode, offset: number) => {
    first ??= { error, offset };
  };
  try {
    visit(text, { onError }, { disallowComments: true });
  } catch (error) {
    if (isTooDeep(error)) return undefined;
    throw error;
  }
  if (!first) return undefined;
  return { ...placeIn(text, first.offset), what: words[first.error] ?? 'something else is expected' };
}

/** Where an offset in UTF-16 is. */
export function placeIn(text: string, offset: number): TextPlace {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: before.length, column: Array.from(before.at(-1) ?? '').length + 1 };
}
