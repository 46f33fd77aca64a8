import { isNode, LineCounter, parseDocument } from 'yaml';

/** From 1, as editors count. */
interface Place {
  line: number;
  column: number;
}

/** A YAML or JSON text, read with the places of its parts. */
export interface ReadText {
  /** What keeps it from being YAML, a key that is given twice included; none for JSON. */
  errors: readonly (Place & { message: string })[];
  /** Its value as plain data. Throws ReferenceError for aliases that target for more than the library allows. */
  value: () => unknown;
  /** Where the value at a path begins; of a path that is not there, the part of it that is. */
  placeOf: (path: readonly PropertyKey[]) => Place;
}

export function readPositions(text: string): ReadText {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const placeAt = (offset: number): Place => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  return {
    errors: document.errors.map(({ message, pos: [offset] }) => ({ ...placeAt(offset), message })),
    value: () => document.toJS() as unknown,
    placeOf: (path) => {
      for (let depth = path.length; depth >= 0; depth -= 1) {
        const node = document.getIn(path.slice(0, depth), true);
        if (isNode(node) && node.range) return placeAt(node.range[0]);
      }
      return placeAt(0);
    },
  };
}
