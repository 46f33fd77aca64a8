import { isNode, LineCounter, parseDocument } from 'yaml';

/** Counted from 1, as in editors. */
interface Position {
  line: number;
  column: number;
}

/** A parsed YAML or JSON text with the positions of its values. */
export interface ParsedText {
  /** YAML syntax errors, including duplicate keys. */
  errors: readonly (Position & { message: string })[];
  /**
   * The value of the text as plain data. Throws ReferenceError if aliases of YAML (`*name`) expand to more data than the library allows.
   */
  value: () => unknown;
  /** The position at which the value of a path starts. If there is no such value, the position of its nearest parent that exists. */
  positionOf: (path: readonly PropertyKey[]) => Position;
}

export function parseWithPositions(text: string): ParsedText {
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
