import { printParseErrorCode, visit } from 'jsonc-parser';
import { Problem } from '../problem';

/** Documented bodies have at most 4 levels and about 110 fields, except flows. */
const depthMax = 8;
const fieldsDefault = 200;

/** Names come from the caller and are returned. This is longer than any field name of the API. */
const nameLengthMax = 100;

/** Line and column count from 1, as in editors. */
export interface TextPosition {
  line: number;
  column: number;
}

/** Invalid JSON, with the position of the error. */
export class InvalidJson extends Problem {
  constructor(
    code: 'malformed_json' | 'duplicate_field',
    readonly position: TextPosition,
    /** What is wrong there, in one sentence. */
    readonly reason: string,
    { fix, ...extras }: { fix: string; errors?: Record<string, string[]> },
  ) {
    super(code, { detail: `Line ${position.line}, column ${position.column}: ${reason} ${fix}`, ...extras });
  }
}

/** The parser's name of an error as text: `CommaExpected` is "Comma expected". */
const messageOf = (code: Parameters<typeof printParseErrorCode>[0]) =>
  printParseErrorCode(code).replace(/(?!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/**
 * Parses a JSON body. Throws InvalidJson, with the position but without the text there, for a syntax error or a repeated
 * field: `JSON.parse` would silently keep the last one. Throws body_too_deep and too_many_fields.
 */
export function parseJson(text: string, fieldsMax = fieldsDefault): unknown {
  /** The field names of each open object; a list has none. */
  const open: Set<string>[] = [];
  let fields = 0;
  const enter = () => {
    open.push(new Set());
    if (open.length > depthMax) throw new Problem('body_too_deep');
  };
  const leave = () => void open.pop();
  visit(
    text,
    {
      onObjectBegin: enter,
      onObjectEnd: leave,
      onArrayBegin: enter,
      onArrayEnd: leave,
      onObjectProperty: (name, _offset, _length, line, character, pathOf) => {
        const names = open.at(-1);
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
        fields += 1;
        if (fields > fieldsMax) throw new Problem('too_many_fields', { detail: `Send at most ${fieldsMax} fields.` });
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
    // No text is known that the two parsers read differently. If there is one, it is still the caller's text.
    throw new Problem('malformed_json');
  }
}
