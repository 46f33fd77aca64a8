import type { ASTNode } from '@marcbachmann/cel-js';
import type { ConditionIssue } from './types';
import type { FactTypes } from './types';

const isMap = (node: ASTNode, facts: FactTypes): node is ASTNode & { op: 'id' } => {
  const fact = node.op === 'id' && Object.hasOwn(facts, node.args) ? facts[node.args] : undefined;
  return fact !== undefined && 'type' in fact && fact.type.startsWith('map<');
};

/** The name with hyphens that CEL parsed as a subtraction; undefined if it is not one. */
function nameOf(node: ASTNode, known: (name: string) => boolean): string | undefined {
  if (node.op === 'id') return known(node.args) ? undefined : node.args;
  if (node.op !== '-') return undefined;
  const [left, right] = [nameOf(node.args[0], known), nameOf(node.args[1], known)];
  return left === undefined || right === undefined ? undefined : `${left}-${right}`;
}

/** The map and the key of `ratings.document-phone`, which CEL parses as ratings.document minus phone. */
function dottedOf(
  node: ASTNode,
  facts: FactTypes,
  known: (name: string) => boolean,
): { map: string; key: string } | undefined {
  if (node.op === '.') return isMap(node.args[0], facts) ? { map: node.args[0].args, key: node.args[1] } : undefined;
  if (node.op !== '-') return undefined;
  const [before, behind] = [dottedOf(node.args[0], facts, known), nameOf(node.args[1], known)];
  return before && behind !== undefined ? { map: before.map, key: `${before.key}-${behind}` } : undefined;
}

/** A key of a map without quotes. `bound`: the variable of the surrounding macro. */
export function unquotedKey(node: ASTNode, facts: FactTypes, bound: string | undefined): ConditionIssue | undefined {
  const known = (name: string) => name === bound || Object.hasOwn(facts, name);
  if (node.op === '[]' && isMap(node.args[0], facts)) {
    const key = nameOf(node.args[1], known);
    if (key !== undefined)
      return { message: `The key ${key} has no quotes.`, fix: `Write ${node.args[0].args}['${key}'].` };
  }
  const dotted = node.op === '-' ? dottedOf(node, facts, known) : undefined;
  return (
    dotted && {
      message: `After a dot, the key ${dotted.key} cannot have a hyphen.`,
      fix: `Write ${dotted.map}['${dotted.key}'].`,
    }
  );
}
