import { printParseErrorCode, visit } from 'jsonc-parser';
import { Problem } from '../problem';
import { nameLengthMax } from './field-errors';

/**
 * The maximum number of levels (`depthMax`), and the default maximum number of fields and list items (`fieldsMaxDefault`). Except for
 * flows, all documented bodies have at most 4 levels and about 110 fields.
 */
const depthMax = 8;
const fieldsMaxDefault = 200;

/** A position in a text. Line and column start at 1, as in editors. */
export interface TextPosition {
  line: number;
  column: number;
}

/** Invalid JSON, with the position of the error. */
export class InvalidJson extends Problem {
  constructor(
    code: 'malformed_json' | 'duplicate_field',
    readonly position: TextPosition,
    /** What is wrong at the position, in one sentence. */
    readonly reason: string,
    { fix, ...extras }: { fix: string; errors?: Record<string, string[]> },
  ) {
    super(code, { detail: `Line ${position.line}, column ${position.column}: ${reason} ${fix}`, ...extras });
  }
}

/** The parser's error code in words: `CommaExpected` becomes "Comma expected". */
const messageOf = (code: Parameters<typeof printParseErrorCode>[0]) =>
  printParseErrorCode(code).replace(/(?!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/**
 * Parses a JSON body. For a syntax error or a repeated field, throws InvalidJson with the position. The error has no text of the body,
 * except the name of a repeated field. (`JSON.parse` alone would keep the last of repeated fields.) Throws body_too_deep and
 * too_many_fields.
 */
export function parseJson(text: string, fieldsMax = fieldsMaxDefault): unknown {
  /** The field names of each open object. The outermost object comes first. An open list has an empty set. */
  const namesByLevel: Set<string>[] = [];
  let values = 0;
  // The body itself is a value, and so is every field and every list item.
  const countValue = () => {
    values += 1;
    if (values > fieldsMax + 1)
      throw new Problem('too_many_fields', { detail: `Send at most ${fieldsMax} fields and list items.` });
  };
  const enter = () => {
    countValue();
    namesByLevel.push(new Set());
    if (namesByLevel.length > depthMax) throw new Problem('body_too_deep');
  };
  const leave = () => void namesByLevel.pop();
  visit(
    text,
    {
      onObjectBegin: enter,
      onObjectEnd: leave,
      onArrayBegin: enter,
      onArrayEnd: leave,
      onLiteralValue: countValue,
      onObjectProperty: (name, _offset, _length, line, character, pathOf) => {
        const names = namesByLevel.at(-1);
        if (names?.has(name)) {
          const path = [...pathOf(), name].map((part) => String(part).slice(0, nameLengthMax)).join('.');
          throw new InvalidJson(
            'duplicate_field',
            { line: line + 1, column: character + 1 },
            'The field appears twice.',
            { fix: 'Send each field once.', errors: { [path]: ['appears twice'] } },
          );
        }
        names?.add(name);
      },
      onError: (code, _offset, _length, line, character) => {
        const position = { line: line + 1, column: character + 1 };
        throw new InvalidJson('malformed_json', position, `${messageOf(code)}.`, {
          fix: 'Send one JSON object in UTF-8.',
        });
      },
    },
    { disallowComments: true },
  );
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Both parsers should accept the same texts. If only `JSON.parse` rejects a text, this is still an error of the caller.
    throw new Problem('malformed_json');
  }
}
