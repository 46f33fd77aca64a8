import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';

/** A place in a JSON text, for completion. */
export interface JsonPlace {
  /** The names and indexes that lead to the place, from the root. */
  path: readonly string[];
  /** What the user can write at the place: the name of a field, or a value. */
  expects: 'name' | 'value';
  /** The part of the text that the completion replaces: offsets of its start and end. */
  from: number;
  to: number;
  /** Whether a colon follows the place. Then completion adds only the name of the field, without a value. */
  hasColon: boolean;
}

const textAt = (state: EditorState, { from, to }: SyntaxNode) => state.doc.sliceString(from, to);

function stringAt(state: EditorState, node: SyntaxNode | null): string {
  if (!node) return '';
  try {
    return String(JSON.parse(textAt(state, node)));
  } catch {
    // The string has no closing quote yet.
    return textAt(state, node).replace(/^"/, '');
  }
}

const isValue = ({ name }: SyntaxNode) =>
  ['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null'].includes(name);

const nameOf = (state: EditorState, property: SyntaxNode) => stringAt(state, property.getChild('PropertyName'));

/** How many values of an array are before a position. */
function indexIn(array: SyntaxNode, position: number): number {
  let index = 0;
  for (let child = array.firstChild; child && child.to <= position; child = child.nextSibling)
    if (isValue(child)) index += 1;
  return index;
}

/** The path of a node, from the root. */
function pathOf(state: EditorState, node: SyntaxNode): string[] {
  const path: string[] = [];
  for (let child = node, { parent } = node; parent; child = parent, { parent } = parent) {
    if (child.name === 'Property') path.unshift(nameOf(state, child));
    else if (parent.name === 'Array' && isValue(child)) path.unshift(String(indexIn(parent, child.from)));
  }
  return path;
}

/** The place at a position of a text, for completion. Undefined where nothing can be completed, such as inside a number. */
export function placeAt(state: EditorState, position: number): JsonPlace | undefined {
  let node = syntaxTree(state).resolveInner(position, -1);
  if (node.type.isError && node.parent) node = node.parent;
  const place = (at: SyntaxNode, expects: JsonPlace['expects'], own: readonly string[] = []): JsonPlace => {
    const isToken = at.name === 'PropertyName' || at.name === 'String';
    const [from, to] = isToken ? [at.from, at.to] : [position, position];
    const hasColon = /^\s*:/.test(state.doc.sliceString(to, to + 20));
    const base = at.name === 'PropertyName' && at.parent ? pathOf(state, at.parent).slice(0, -1) : pathOf(state, at);
    return { path: [...base, ...own], expects, from, to, hasColon };
  };
  if (node.name === 'PropertyName') return place(node, 'name');
  if (node.name === 'String') return place(node, 'value');
  if (node.name === 'Property' || node.name === ':') {
    const property = node.name === 'Property' ? node : node.parent;
    return property ? place(property, 'value') : undefined;
  }
  const before = state.doc.sliceString(0, position).trimEnd().at(-1);
  if ((node.name === 'Object' || node.name === '{' || node.name === ',') && (before === '{' || before === ',')) {
    const object = node.name === 'Object' ? node : node.parent;
    if (object?.name === 'Object') return place(object, 'name');
    if (object?.name === 'Array') return place(object, 'value', [String(indexIn(object, position))]);
  }
  const array = node.name === 'Array' ? node : node.name === '[' ? node.parent : undefined;
  if (array && (before === '[' || before === ',')) return place(array, 'value', [String(indexIn(array, position))]);
  return undefined;
}

function toValue(state: EditorState, node: SyntaxNode): unknown {
  switch (node.name) {
    case 'Object':
      return Object.fromEntries(
        node.getChildren('Property').map((property) => {
          const { lastChild } = property;
          const value = lastChild && isValue(lastChild) ? toValue(state, lastChild) : undefined;
          return [nameOf(state, property), value];
        }),
      );
    case 'Array': {
      const items: unknown[] = [];
      for (let child = node.firstChild; child; child = child.nextSibling)
        if (isValue(child)) items.push(toValue(state, child));
      return items;
    }
    case 'String':
      return stringAt(state, node);
    case 'Number':
      return Number(textAt(state, node));
    default:
      return node.name === 'True' ? true : node.name === 'False' ? false : null;
  }
}

/** The value of a JSON text, which may be incomplete. The parts that cannot be read are left out. */
export function readableValue(state: EditorState): unknown {
  const root = syntaxTree(state).topNode.firstChild;
  return root && isValue(root) ? toValue(state, root) : undefined;
}
