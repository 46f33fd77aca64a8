import { type Node, parseTree } from 'jsonc-parser';
import type { TextPosition } from '../../http/body/read-json';

/**
 * A part of a text. `line` and `column` are the place of its first character. `endLine` and `endColumn` are the place after its last
 * character. Lines and columns start at 1, as in editors.
 */
export interface TextRange {
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
}

/** A range without any character, at a position. */
export const emptyRange = ({ line, column }: TextPosition): TextRange => ({
  line,
  column,
  endLine: line,
  endColumn: column,
});

/** Finds a field of an object by its name, or an item of a list by its index. */
function childAt(node: Node, key: string): Node | undefined {
  if (node.type === 'array') return node.children?.[Number(key)];
  return node.children?.find(({ children }) => children?.[0]?.value === key);
}

/**
 * Creates a function that finds the range of a path such as `steps.code.sendLimit` in a JSON text. The range covers the value of the path.
 * If the value is an object or a list, the range covers the name of the field instead. If the path does not exist, the function returns
 * the range of the nearest parent field. If no parent field exists, it returns the range of the first character.
 */
export function findRanges(text: string): (path: string) => TextRange {
  const root = parseTree(text);
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const positionOf = (offset: number): TextPosition => {
    const line = lineStarts.findLastIndex((start) => start <= offset);
    return { line: line + 1, column: offset - (lineStarts[line] ?? 0) + 1 };
  };
  const rangeOf = (offset: number, length: number): TextRange => {
    const [start, end] = [positionOf(offset), positionOf(offset + length)];
    return { ...start, endLine: end.line, endColumn: end.column };
  };
  return (path) => {
    let [node, shown]: [Node | undefined, Node | undefined] = [root, undefined];
    for (const key of path === '' ? [] : path.split('.')) {
      const child: Node | undefined = node && childAt(node, key);
      if (!child) break;
      const [name, value] = child.type === 'property' ? (child.children ?? []) : [child, child];
      const hasParts = value === undefined || value.type === 'object' || value.type === 'array';
      [node, shown] = [value, hasParts ? name : value];
    }
    return shown ? rangeOf(shown.offset, shown.length) : rangeOf(root?.offset ?? 0, root ? 1 : 0);
  };
}
