import { type ASTNode, ParseError, TypeError as ConditionTypeError } from '@marcbachmann/cel-js';
import type { ConditionIssue } from './types';
import { unquotedKeyIssue } from './unquoted-key';
import { syntaxIssue } from './syntax-issue';
import type { FactTypes } from './types';
import { quote, quoteAll, suggestNames } from '../../domain/values';

/**
 * What conditions may call. The rest of CEL is excluded, for these reasons. `matches` may run for ever. `bind` and nested macros can grow
 * without limit. Dates depend on the time zone of the machine. `has`, and `in` on a map, would be true for every key, because our maps have
 * a default for missing keys.
 */
const functions = ['size', 'int', 'double', 'string'];
const methods = ['size', 'startsWith', 'endsWith', 'contains', 'lowerAscii', 'upperAscii', 'trim'];
const macros = ['all', 'exists', 'exists_one', 'filter'];

/** The issue of the first unsupported part of a condition; undefined if all of it is supported. */
export function unsupportedIssue(ast: ASTNode, facts: FactTypes): ConditionIssue | undefined {
  // `macroVariable`: the variable of the macro around the node, such as `one` in `insights.exists(one, one == 'EM001')`.
  const stack: { node: unknown; macroVariable?: string | undefined }[] = [{ node: ast }];
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    const { node, macroVariable } = entry;
    if (Array.isArray(node)) stack.push(...node.map((inner: unknown) => ({ node: inner, macroVariable })));
    if (!isNode(node)) continue;
    const { op, args } = node;
    const isMacro = op === 'rcall' && macros.includes(args[0]);
    const container = op === 'in' ? args[1] : undefined;
    if (container?.op === 'id' && container.args !== macroVariable && !Object.hasOwn(facts, container.args))
      return unknownFact(container.args, facts);
    if (container && !isList(container, facts))
      return { message: '`in` needs a list on its right side.', fix: mapAdvice };
    const unquotedIssue = unquotedKeyIssue(node, facts, macroVariable);
    if (unquotedIssue) return unquotedIssue;
    if (op === 'call' && !functions.includes(args[0])) return unsupportedCall(args[0], functions);
    if (op === 'rcall' && !isMacro && !methods.includes(args[0]))
      return unsupportedCall(args[0], [...methods, ...macros]);
    const methodIssue = op === 'rcall' ? wrongMethodIssue(args[0], args[1], args[2], facts) : undefined;
    if (methodIssue !== undefined) return methodIssue;
    if (isMacro && macroVariable !== undefined)
      return {
        message: `The condition has ${quote(args[0])} inside another list function (${quoteAll(macros)}). Nesting is not supported.`,
        fix: 'Write two calls, and join them with `&&` or `||`.',
      };
    stack.push({ node: args, macroVariable: isMacro ? idOf(args[2][0]) : macroVariable });
  }
  return undefined;
}

const mapAdvice = "For a map of texts, write `map['key'] != ''`. For a map of numbers, write `map['key'] > 0`.";

function isList({ op, args }: ASTNode, facts: FactTypes): boolean {
  if (op === 'list' || op === 'rcall') return true;
  const fact = op === 'id' && Object.hasOwn(facts, args) ? facts[args] : undefined;
  return fact !== undefined && 'type' in fact && fact.type === 'list<string>';
}

/** The issue if a condition calls a method on a fact, and the type of the fact does not have this method. Undefined without an issue. */
function wrongMethodIssue(
  method: string,
  receiver: ASTNode,
  methodArgs: readonly ASTNode[],
  facts: FactTypes,
): ConditionIssue | undefined {
  const name = idOf(receiver);
  const fact = Object.hasOwn(facts, name) ? facts[name] : undefined;
  if (method === 'size' || !fact || !('type' in fact)) return undefined;
  if (fact.type.startsWith('map<'))
    return {
      message: `${quote(name)} is a map, which has no ${quote(method)}.`,
      fix: `Write ${quote(`${name}['key'] ${fact.type === 'map<string,string>' ? "!= ''" : '> 0'}`)}.`,
    };
  if (fact.type !== 'list<string>' || macros.includes(method)) return undefined;
  const argument = methodArgs[0]?.op === 'value' ? `'${String(methodArgs[0].args)}'` : "'…'";
  const replacement =
    method === 'contains'
      ? `${argument} in ${name}`
      : `${name}.exists(one, one.${method}(${methodArgs[0] ? argument : ''}))`;
  return { message: `${quote(name)} is a list, which has no ${quote(method)}.`, fix: `Write ${quote(replacement)}.` };
}

/** The name, if the node is a name. An empty text for any other node. */
const idOf = (node: ASTNode | undefined): string => (node?.op === 'id' ? node.args : '');

const unknownFact = (name: string, facts: FactTypes): ConditionIssue => ({
  message: `There is no fact ${quote(name)}.`,
  fix: suggestNames('Use one of', name, Object.keys(facts)),
});

const unsupportedCall = (name: string, allowed: readonly string[]): ConditionIssue => ({
  message: `The condition calls ${quote(name)}, which conditions do not support.`,
  fix: name === 'has' ? mapAdvice : suggestNames('Use one of', name, allowed),
});

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value;
}

/** The issue for an error of the CEL library. Throws any other error. */
export function issueOf(error: unknown, facts: FactTypes, expression: string): ConditionIssue {
  if (!(error instanceof ParseError) && !(error instanceof ConditionTypeError)) throw error;
  const { code, summary } = error;
  const [, subject = ''] = summary.split(': ');
  if (code === 'unknown_variable') return unknownFact(subject, facts);
  if (code === 'no_such_key')
    return { message: `There is no field ${quote(subject)}.`, fix: suggestFields(subject, facts) };
  if (code === 'limit_exceeded')
    return {
      message: `The condition is nested too deeply or has too many parts: ${summary}.`,
      fix: 'Write a shorter condition. If it has `||`, write one rule for each side.',
    };
  if (code === 'no_such_overload')
    return { message: `These types cannot be combined: ${quote(subject)}.`, fix: typeAdvice(subject) };
  if (error instanceof ConditionTypeError)
    return { message: `A type is wrong: ${summary}.`, fix: 'Check the types of the facts.' };
  return syntaxIssue(error, expression);
}

/** Suggests the fields of all facts that have fields, because the CEL library does not say to which fact the unknown field belongs. */
const suggestFields = (unknownName: string, facts: FactTypes) =>
  Object.entries(facts)
    .flatMap(([name, fact]) =>
      'fields' in fact
        ? [suggestNames(`Use one of the fields of ${quote(name)}:`, unknownName, Object.keys(fact.fields))]
        : [],
    )
    .join(' ');

const typeAdvice = (subject: string) =>
  /^(?:double . int|int . double)$/.test(subject)
    ? 'Write a whole number with `.0`, such as `2.0`, to combine it with a `double`.'
    : 'Compare texts with quoted texts, and numbers with numbers.';
