import { type ASTNode, ParseError, TypeError as ConditionTypeError } from '@marcbachmann/cel-js';
import type { ConditionIssue, FactTypes } from './cost';
import { quote, quoteAll, suggestNames } from '../../domain/text';

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

/** The names of the parser's tokens in words that the author of a condition knows. */
const tokenNames: Readonly<Record<string, string>> = {
  RPAREN: 'a `)`',
  RBRACKET: 'a `]`',
  RBRACE: 'a `}`',
  LPAREN: 'a `(`',
  COLON: 'a `:`',
  COMMA: 'a comma',
  IDENTIFIER: 'a name',
};

const operatorAdvice = 'Use `==`, `<` or `in` to compare, and `&&` or `||` to combine.';

/** Operators of other languages, and quotes of text editors. The value says what to write instead. */
const replacements: Readonly<Record<string, string>> = {
  '=': 'Write `==`, `<=` or `>=` to compare. In `<=` and `>=`, the `=` is at the end.',
  '&': 'Write `&&` instead.',
  '|': 'Write `||` instead.',
  and: 'Write `&&` instead.',
  or: 'Write `||` instead.',
  '‘': "Write straight quotes: `'`.",
  '’': "Write straight quotes: `'`.",
  '“': "Write straight quotes: `'`.",
  '”': "Write straight quotes: `'`.",
};

/** Describes a syntax error of the CEL library in plain words, with its position. */
export function syntaxIssue({ code, summary, range }: ParseError, expression: string): ConditionIssue {
  const positionText = range === undefined ? '' : ` at character ${range.start + 1}`;
  const createIssue = (description: string, fix = operatorAdvice): ConditionIssue => ({
    message: `The condition cannot be read${positionText}: ${description}.`,
    fix,
  });
  const [, expectedToken, actualToken] = /^Expected (\w+), got (\w+)$/.exec(summary) ?? [];
  const tokenName = tokenNames[expectedToken ?? ''];
  if (tokenName !== undefined)
    return actualToken === 'EOF'
      ? createIssue(`${tokenName} is missing`, `Add ${tokenName}.`)
      : createIssue(`${tokenName} is expected here`);
  if (summary === 'Unexpected token: EOF') return createIssue('a value is missing at the end', 'Write the value.');
  if (code === 'unexpected_token') return createIssue('a value is expected here');
  if (code === 'unterminated_string' || code === 'newline_in_string')
    return createIssue('a text has no closing quote', 'Add the quote.');
  const sourceText = expression.slice(range?.start, range?.end);
  if (sourceText === ')' || sourceText === ']')
    return createIssue(`there is no opening sign for the ${quote(sourceText)}`, 'Remove it.');
  if (code === 'unexpected_character')
    return createIssue(
      `${quote(sourceText)} is not expected here`,
      replacements[sourceText.toLowerCase()] ?? operatorAdvice,
    );
  return createIssue(summary);
}

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
