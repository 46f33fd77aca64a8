import type { ASTNode } from '@marcbachmann/cel-js';
import type { ConditionIssue } from './types';
import type { FactTypes } from './types';
import { quote } from '../../domain/values';

const isMap = (node: ASTNode, facts: FactTypes): node is ASTNode & { op: 'id' } => {
  const fact = node.op === 'id' && Object.hasOwn(facts, node.args) ? facts[node.args] : undefined;
  return fact !== undefined && 'type' in fact && fact.type.startsWith('map<');
};

/**
 * The key that the author probably means by a text without quotes, such as `document-phone`. CEL reads this text as `document` minus
 * `phone`. Undefined if one of the parts is the name of a fact, or is no name.
 */
function unquotedName(node: ASTNode, isKnown: (name: string) => boolean): string | undefined {
  if (node.op === 'id') return isKnown(node.args) ? undefined : node.args;
  if (node.op !== '-') return undefined;
  const [left, right] = [unquotedName(node.args[0], isKnown), unquotedName(node.args[1], isKnown)];
  return left === undefined || right === undefined ? undefined : `${left}-${right}`;
}

/**
 * The map `ratings` and the key `document-phone`, if the node is `ratings.document-phone`. CEL reads this text as `ratings.document` minus
 * `phone`.
 */
function dottedKeyOf(
  node: ASTNode,
  facts: FactTypes,
  isKnown: (name: string) => boolean,
): { map: string; key: string } | undefined {
  if (node.op === '.') return isMap(node.args[0], facts) ? { map: node.args[0].args, key: node.args[1] } : undefined;
  if (node.op !== '-') return undefined;
  const [dotted, suffix] = [dottedKeyOf(node.args[0], facts, isKnown), unquotedName(node.args[1], isKnown)];
  return dotted && suffix !== undefined ? { map: dotted.map, key: `${dotted.key}-${suffix}` } : undefined;
}

/** The issue of a map key without quotes. `macroVariable`: the variable that the macro around the node defines, if there is a macro. */
export function unquotedKeyIssue(
  node: ASTNode,
  facts: FactTypes,
  macroVariable: string | undefined,
): ConditionIssue | undefined {
  const isKnown = (name: string) => name === macroVariable || Object.hasOwn(facts, name);
  if (node.op === '[]' && isMap(node.args[0], facts)) {
    const key = unquotedName(node.args[1], isKnown);
    if (key !== undefined)
      return {
        message: `The key ${quote(key)} has no quotes.`,
        fix: `Write ${quote(`${node.args[0].args}['${key}']`)}.`,
      };
  }
  const dotted = node.op === '-' ? dottedKeyOf(node, facts, isKnown) : undefined;
  return (
    dotted && {
      message: `After a dot, the key ${quote(dotted.key)} cannot have a hyphen.`,
      fix: `Write ${quote(`${dotted.map}['${dotted.key}']`)}.`,
    }
  );
}
