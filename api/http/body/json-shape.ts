import { printParseErrorCode, visit } from 'jsonc-parser';
import { Problem } from '../problem';

/** Limits of every JSON body; those of flows may have more fields. The other documented ones have 4 levels and about 110 fields at most. */
const depthMax = 8;
const fieldsUsual = 200;

/** A path is made of names that come from the caller and are echoed; this is longer than any of ours. */
const nameLengthMax = 100;

/** From 1, as editors count. */
export interface TextPlace {
  line: number;
  column: number;
}

/** JSON that cannot be taken as it is written, and where that is. */
export class UnreadableJson extends Problem {
  constructor(
    code: 'malformed_json' | 'duplicate_field',
    readonly place: TextPlace,
    /** What is wrong there, in one sentence. */
    readonly what: string,
    more: { fix: string; errors?: Record<string, string[]> },
  ) {
    const { fix, ...extras } = more;
    super(code, { detail: `Line ${place.line}, column ${place.column}: ${what} ${fix}`, ...extras });
  }
}

/** The parser's own name of an error as words: `CommaExpected` is "Comma expected". */
const wordsOf = (code: Parameters<typeof printParseErrorCode>[0]) =>
  printParseErrorCode(code).replace(/(?!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/**
 * Parses a JSON body. Throws UnreadableJson for what is no JSON, by line and column and never by what stands there, and for a
 * field that is given twice, of which `JSON.parse` would keep the last without a word. Throws Problem for more levels or fields
 * than any body needs.
 */
export function parseJson(text: string, fieldsMax = fieldsUsual): unknown {
  /** The names in each object that is open; a list has none. */
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
          throw new UnreadableJson(
            'duplicate_field',
            { line: line + 1, column: character + 1 },
            'The field was there before.',
            {
              fix: 'Send each field once. `errors` names the repeated one.',
              errors: { [path]: ['is given twice'] },
            },
          );
        }
        names?.add(name);
        fields += 1;
        if (fields > fieldsMax) throw new Problem('too_many_fields', { detail: `Send at most ${fieldsMax} fields.` });
      },
      onError: (code, _offset, _length, line, character) => {
        const place = { line: line + 1, column: character + 1 };
        throw new UnreadableJson('malformed_json', place, `${wordsOf(code)}.`, {
          fix: 'Send one JSON object in UTF-8.',
        });
      },
    },
    { disallowComments: true },
  );
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The parsers agree on every text that was ever tried; if one does not, it is the caller's text all the same.
    throw new Problem('malformed_json');
  }
}
