import { type ASTNode, ParseError, TypeError as ConditionTypeError } from '@marcbachmann/cel-js';
import type { FactTypes } from './fact-types';

/**
 * What conditions may call. The rest of CEL is left out for a reason: `matches` may run for ever, `bind` and macros in macros
 * grow without measure, dates follow the zones of the machine, and `has`, like `in` on a map, would be true of every key.
 */
const functions = ['size', 'int', 'double', 'string'];
const methods = ['size', 'startsWith', 'endsWith', 'contains', 'lowerAscii', 'upperAscii', 'trim'];
const macros = ['all', 'exists', 'exists_one', 'filter'];

/** What a condition uses that it may not, in one sentence; undefined when all of it is allowed. */
export function forbidden(ast: ASTNode, facts: FactTypes): string | undefined {
  const places: { node: unknown; bound?: string | undefined }[] = [{ node: ast }];
  for (let place = places.pop(); place; place = places.pop()) {
    const { node, bound } = place;
    if (Array.isArray(node)) places.push(...node.map((inner: unknown) => ({ node: inner, bound })));
    if (!isNode(node)) continue;
    const { op, args } = node;
    const isMacro = op === 'rcall' && macros.includes(args[0]);
    const looked = op === 'in' ? args[1] : undefined;
    if (looked?.op === 'id' && looked.args !== bound && !Object.hasOwn(facts, looked.args))
      return unknownFact(looked.args, facts);
    if (looked && !isList(looked, facts)) return `It looks with in into what is no list; ${ofMaps}.`;
    if (op === 'call' && !functions.includes(args[0])) return refusal(args[0], functions);
    if (op === 'rcall' && !isMacro && !methods.includes(args[0])) return refusal(args[0], [...methods, ...macros]);
    const misplaced = op === 'rcall' && !isMacro ? textMethodOfMany(args[0], args[1], args[2], facts) : undefined;
    if (misplaced !== undefined) return misplaced;
    if (isMacro && bound !== undefined)
      return `It uses ${args[0]} inside another of ${macros.join(', ')}, which may grow too large.`;
    places.push({ node: args, bound: isMacro ? idOf(args[2][0]) : bound });
  }
  return undefined;
}

const ofMaps = "of a map, write map['key'] != '' or map['key'] > 0";

function isList({ op, args }: ASTNode, facts: FactTypes): boolean {
  if (op === 'list' || op === 'rcall') return true;
  const fact = op === 'id' && Object.hasOwn(facts, args) ? facts[args] : undefined;
  return fact !== undefined && 'type' in fact && fact.type === 'list<string>';
}

/** What is to be written in place of a method of texts that is called of a list or a map. */
function textMethodOfMany(
  method: string,
  receiver: ASTNode,
  given: readonly ASTNode[],
  facts: FactTypes,
): string | undefined {
  const name = idOf(receiver);
  const fact = Object.hasOwn(facts, name) ? facts[name] : undefined;
  if (method === 'size' || !fact || !('type' in fact)) return undefined;
  if (fact.type.startsWith('map<')) return `${name} is a map, which has no ${method}; ${ofMaps}.`;
  if (fact.type !== 'list<string>') return undefined;
  const sought = given[0]?.op === 'value' ? `'${String(given[0].args)}'` : "'…'";
  const write =
    method === 'contains' ? `${sought} in ${name}` : `${name}.exists(one, one.${method}(${given[0] ? sought : ''}))`;
  return `${name} is a list, which has no ${method}; write ${write}.`;
}

const idOf = (node: ASTNode | undefined): string => (node?.op === 'id' ? node.args : '');

const unknownFact = (name: string, facts: FactTypes) =>
  `There is no ${name}; there are ${Object.keys(facts).join(', ')}.`;

function refusal(name: string, allowed: readonly string[]): string {
  const hint = name === 'has' ? ofMaps : `there are ${allowed.join(', ')}`;
  return `It calls ${name}, which conditions do not have; ${hint}.`;
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value;
}

/** What the library found, in one sentence. Throws what is no finding of its. */
export function faultOf(error: unknown, facts: FactTypes): string {
  if (!(error instanceof ParseError) && !(error instanceof ConditionTypeError)) throw error;
  const { code, summary, range } = error;
  const [, subject = ''] = summary.split(': ');
  if (code === 'unknown_variable') return unknownFact(subject, facts);
  if (code === 'no_such_key') return `There is no field ${subject}; there are ${fieldsIn(facts)}.`;
  if (code === 'limit_exceeded') return `It is too deep or has too many parts: ${summary}.`;
  if (code === 'no_such_overload') return `Types do not go together: ${subject}${decimals(subject)}.`;
  if (error instanceof ConditionTypeError) return `Types do not fit: ${summary}.`;
  const place = range === undefined ? '' : ` at character ${range.start + 1}`;
  return `It cannot be read${place}: ${summary}; comparisons are ==, < and in, and && and || join them.`;
}

function fieldsIn(facts: FactTypes): string {
  return Object.entries(facts)
    .flatMap(([name, fact]) => ('fields' in fact ? Object.keys(fact.fields).map((field) => `${name}.${field}`) : []))
    .join(', ');
}

const decimals = (subject: string) =>
  /^(?:double . int|int . double)$/.test(subject) ? '; write whole numbers beside a double as 1.0' : '';
