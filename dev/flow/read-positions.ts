import { isNode, LineCounter, parseDocument } from 'yaml';

/** From 1, as editors count. */
interface Position {
  line: number;
  column: number;
}

/** A parsed YAML or JSON text with the positions of its values. */
export interface ReadText {
  /** YAML syntax errors, including duplicate keys. */
  errors: readonly (Position & { message: string })[];
  /** Its value as plain data. Throws ReferenceError for aliases that target for more than the library allows. */
  value: () => unknown;
  /** The start of the value at a path, or of its nearest existing parent. */
  positionOf: (path: readonly PropertyKey[]) => Position;
}

export function readPositions(text: string): ReadText {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const positionAt = (offset: number): Position => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  return {
    errors: document.errors.map(({ message, pos: [offset] }) => ({ ...positionAt(offset), message })),
    value: () => document.toJS() as unknown,
    positionOf: (path) => {
      for (let depth = path.length; depth >= 0; depth -= 1) {
        const node = document.getIn(path.slice(0, depth), true);
        if (isNode(node) && node.range) return positionAt(node.range[0]);
      }
      return positionAt(0);
    },
  };
}
