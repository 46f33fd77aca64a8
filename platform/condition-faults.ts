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
  const places: { node: unknown; inMacro: boolean }[] = [{ node: ast, inMacro: false }];
  for (let place = places.pop(); place; place = places.pop()) {
    const { node, inMacro } = place;
    if (Array.isArray(node)) places.push(...node.map((inner: unknown) => ({ node: inner, inMacro })));
    if (!isNode(node)) continue;
    const { op, args } = node;
    const isMacro = op === 'rcall' && macros.includes(args[0]);
    if (op === 'in' && !isList(args[1], facts)) return `It looks with in into what is no list; ${ofMaps}.`;
    if (op === 'call' && !functions.includes(args[0])) return refusal(args[0], functions);
    if (op === 'rcall' && !isMacro && !methods.includes(args[0])) return refusal(args[0], [...methods, ...macros]);
    if (isMacro && inMacro)
      return `It uses ${args[0]} inside another of ${macros.join(', ')}, which may grow too large.`;
    places.push({ node: args, inMacro: inMacro || isMacro });
  }
  return undefined;
}

const ofMaps = "of a map, write map['key'] != '' or map['key'] > 0";

function isList({ op, args }: ASTNode, facts: FactTypes): boolean {
  if (op === 'list' || op === 'rcall') return true;
  const fact = op === 'id' && Object.hasOwn(facts, args) ? facts[args] : undefined;
  return fact !== undefined && 'type' in fact && fact.type === 'list<string>';
}

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
  if (code === 'unknown_variable') return `There is no ${subject}; there are ${Object.keys(facts).join(', ')}.`;
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
