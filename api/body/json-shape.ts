import { placeIn, type TextPlace } from '../../platform/json-fault';
import { Problem } from '../problem';

/** Limits of every JSON body; those of flows may have more fields. The other documented ones have 4 levels and about 110 fields at most. */
const depthMax = 8;
const fieldsUsual = 200;

/** A path is made of names that come from the caller and are echoed; this is longer than any of ours. */
const nameLengthMax = 100;

const stringToken = /"(?:[^"\\]|\\.)*"/y;

/** An object or a list that is open: the names in an object so far, and where in either the walk is. */
interface Open {
  names?: Set<string>;
  at: string | number;
}

/**
 * Walks JSON text before it is parsed: the parser itself would keep the last of two equal fields without a word. Throws a
 * SyntaxError where it sees that the text is no JSON.
 */
export function checkJsonShape(text: string, fieldsMax = fieldsUsual): void {
  const open: Open[] = [];
  let fields = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    const inner = open.at(-1);
    if (character === '{' || character === '[') {
      open.push(character === '{' ? { names: new Set(), at: '' } : { at: 0 });
      if (open.length > depthMax) throw new Problem('body_too_deep');
    } else if (character === '}' || character === ']') {
      open.pop();
    } else if (character === ',' && typeof inner?.at === 'number') {
      inner.at += 1;
    } else if (character === '"') {
      stringToken.lastIndex = index;
      const token = stringToken.exec(text)?.[0];
      if (!token) throw new SyntaxError('A string has no end.');
      if (isKey(text, index + token.length)) {
        if (isRepeated(inner, token)) throw givenTwice(text, index, open);
        fields += 1;
        if (fields > fieldsMax) throw new Problem('too_many_fields', { detail: `Send at most ${fieldsMax} fields.` });
      }
      index += token.length - 1;
    }
  }
}

function isKey(text: string, from: number): boolean {
  let index = from;
  while (/\s/.test(text[index] ?? '')) index += 1;
  return text[index] === ':';
}

/** Notes a name in its object. */
function isRepeated(object: Open | undefined, token: string): boolean {
  if (!object?.names) return false;
  // Escapes are undone first: "a" and "\u0061" are the same field.
  const name = JSON.parse(token) as string;
  const repeated = object.names.has(name);
  object.names.add(name);
  object.at = name;
  return repeated;
}

function givenTwice(text: string, offset: number, open: readonly Open[]): RepeatedField {
  const path = open.map(({ at }) => String(at).slice(0, nameLengthMax)).join('.');
  return new RepeatedField(path, placeIn(text, offset));
}

/** A field of JSON that is given twice, with the place of the second. */
export class RepeatedField extends Problem {
  constructor(
    readonly path: string,
    readonly place: TextPlace,
  ) {
    super('duplicate_field', {
      detail: `Line ${place.line}, column ${place.column}: the field was there before. Send each field once; \`errors\` names the one that repeats.`,
      errors: { [path]: ['is given twice'] },
    });
  }
}
