import { Problem } from '../problem';

/** Limits of every JSON body; those of flows may have more fields. The other documented ones have 4 levels and about 110 fields at most. */
const depthMax = 8;
const fieldsUsual = 200;

const stringToken = /"(?:[^"\\]|\\.)*"/y;

/**
 * Walks JSON text before it is parsed: the parser itself would keep the last of two equal fields without a word. Throws a
 * SyntaxError where it sees that the text is no JSON.
 */
export function checkJsonShape(text: string, fieldsMax = fieldsUsual): void {
  const open: (Set<string> | undefined)[] = [];
  let fields = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '{' || character === '[') {
      open.push(character === '{' ? new Set() : undefined);
      if (open.length > depthMax) throw new Problem('body_too_deep');
    } else if (character === '}' || character === ']') {
      open.pop();
    } else if (character === '"') {
      stringToken.lastIndex = index;
      const token = stringToken.exec(text)?.[0];
      if (!token) throw new SyntaxError('A string has no end.');
      index += token.length - 1;
      if (isKey(text, index + 1)) {
        noteField(open.at(-1), token);
        fields += 1;
        if (fields > fieldsMax) throw new Problem('too_many_fields', { detail: `Send at most ${fieldsMax} fields.` });
      }
    }
  }
}

function isKey(text: string, from: number): boolean {
  let index = from;
  while (/\s/.test(text[index] ?? '')) index += 1;
  return text[index] === ':';
}

function noteField(fields: Set<string> | undefined, token: string): void {
  // Escapes are undone first: "a" and "\u0061" are the same field.
  const name = JSON.parse(token) as string;
  if (fields?.has(name)) throw new Problem('duplicate_field', { errors: { [name.slice(0, 100)]: ['is given twice'] } });
  fields?.add(name);
}
