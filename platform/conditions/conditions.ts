import { Environment, type ParseResult } from '@marcbachmann/cel-js';
import { LRUCache } from 'lru-cache';
import {
  type ConditionIssue,
  costMax,
  costOf as costOfAst,
  type FactType,
  type FactTypes,
  largestSizes,
  sizesOf,
} from './cost';
import { issueOf, unsupportedIssue } from './find-issue';
import { quote } from '../../domain/text';

/** Conditions in the language CEL. The same condition and facts always give the same result, in limited time. */
export interface Conditions {
  /** What is wrong with a condition and how to fix it; undefined if it is valid. */
  check: (expression: string) => ConditionIssue | undefined;
  /**
   * Whether a condition is true. `values`: the value of each fact, by the name of the fact. Throws ConditionError if the condition cannot be
   * evaluated: `check` finds an issue, the evaluation fails, such as int('x'), or the condition would cost too much with these values. Throws
   * TypeError or RangeError if a value does not have the type of its fact.
   */
  evaluate: (expression: string, values: Readonly<Record<string, unknown>>) => boolean;
  /** The steps that `evaluate` takes at most with these values. 0 if it does not evaluate the condition. */
  costOf: (expression: string, values: Readonly<Record<string, unknown>>) => number;
}

/** The condition cannot be evaluated. The message has no value of a fact. */
export class ConditionError extends Error {
  override name = 'ConditionError';
}

const costIssue: ConditionIssue = {
  message: 'The condition would take too long with the longest texts and lists.',
  fix: 'Use fewer operations inside `all`, `exists`, `exists_one` and `filter`, and do not join texts there.',
};

const booleanAdvice = 'Write an expression that is true or false, such as a comparison with `==`, `<` or `in`.';

/** Limits of the parser. Conditions that people can read stay below these limits. */
const limits = { maxAstNodes: 300, maxDepth: 24, maxListElements: 60, maxMapEntries: 0, maxCallArguments: 3 };

/** Conditions that are kept after they were read, about 30 KB each. A flow of 64 KB has at most some 130 conditions of full length. */
const keptConditions = 500;

/** A condition that was read: how to evaluate it, or what is wrong with it. */
type ReadCondition = { parsed: ParseResult } | { issue: ConditionIssue };

/** Conditions that may use `facts`. `maxLength`: the maximum number of characters of a condition. */
export function createConditions(
  facts: FactTypes,
  { maxLength }: { maxLength: number } = { maxLength: 500 },
): Conditions {
  // In CEL, < can compare a double with an int, but == cannot. Authors expect both, so this operator makes == possible.
  const environment = new Environment({ limits }).registerOperator(
    'double == int',
    (left: number, right: bigint) => left === Number(right),
  );
  for (const [name, fact] of Object.entries(facts))
    if ('type' in fact) environment.registerVariable(name, fact.type);
    else environment.registerVariable({ name, schema: mapValues(fact.fields, ({ type }) => type) });

  const read = (expression: string): ReadCondition => {
    if (expression.trim() === '') return { issue: { message: 'The condition is empty.', fix: booleanAdvice } };
    if (expression.length > maxLength)
      return {
        issue: {
          message: `The condition has ${expression.length} characters; the limit is ${maxLength}.`,
          fix: 'Write a shorter condition. If it has `||`, write one rule for each side.',
        },
      };
    try {
      const parsed = environment.parse(expression);
      const issue = unsupportedIssue(parsed.ast, facts);
      if (issue !== undefined) return { issue };
      const { valid, type, error } = parsed.check();
      if (!valid) return { issue: issueOf(error, facts, expression) };
      return type === 'bool'
        ? { parsed }
        : { issue: { message: `The condition is of type ${quote(String(type))}.`, fix: booleanAdvice } };
    } catch (error) {
      return { issue: issueOf(error, facts, expression) };
    }
  };

  const maxSizes = largestSizes(facts);
  const cache = new LRUCache<string, ReadCondition>({ max: keptConditions });
  const readOnce = (expression: string): ReadCondition => {
    const known = cache.get(expression) ?? read(expression);
    cache.set(expression, known);
    return known;
  };

  const check = (expression: string): ConditionIssue | undefined => {
    const condition = readOnce(expression);
    if ('issue' in condition) return condition.issue;
    return costOfAst(condition.parsed.ast, maxSizes) <= costMax ? undefined : costIssue;
  };

  const costOf = (expression: string, values: Readonly<Record<string, unknown>>): number => {
    const condition = readOnce(expression);
    const cost = 'issue' in condition ? 0 : costOfAst(condition.parsed.ast, sizesOf(facts, values));
    return cost <= costMax ? cost : 0;
  };

  const evaluate = (expression: string, values: Readonly<Record<string, unknown>>): boolean => {
    const condition = readOnce(expression);
    if ('issue' in condition) throw new ConditionError(`${condition.issue.message} ${condition.issue.fix}`);
    const context = mapValues(facts, (fact, name) =>
      'type' in fact ? valueOf(fact.type, values[name], name) : fieldsOf(fact.fields, values[name], name),
    );
    // A condition that was saved before there was a limit is still evaluated while its facts are small.
    if (costOfAst(condition.parsed.ast, sizesOf(facts, values)) > costMax) throw new ConditionError(costIssue.message);
    try {
      return condition.parsed(context) === true;
    } catch (error) {
      if (error instanceof Error && error.name === 'EvaluationError')
        throw new ConditionError('The evaluation of the condition failed.', { cause: error });
      throw error;
    }
  };

  return { check, evaluate, costOf };
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  mapValue: (value: From, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, mapValue(value, name)]));
}

/** Converts an object to a map that the CEL library can read. `name`: the name of its fact, for errors. */
function fieldsOf(fields: Readonly<Record<string, { type: FactType }>>, value: unknown, name: string): unknown {
  const values = objectOf(value, name);
  return new Map(
    Object.entries(fields).map(([field, { type }]) => [field, valueOf(type, values[field], `${name}.${field}`)]),
  );
}

/** Converts a value to the form that the CEL library expects. `name`: the name of the fact, for the error. */
function valueOf(type: FactType, value: unknown, name: string): unknown {
  const createTypeError = () => new TypeError(`${name} is not of type ${type}.`);
  if (type === 'list<string>') {
    if (!Array.isArray(value)) throw createTypeError();
    return value.map((item) => valueOf('string', item, name));
  }
  if (type === 'map<string,string>') return mapWithDefault(value, 'string', '', name);
  if (type === 'map<string,int>') return mapWithDefault(value, 'int', 0n, name);
  if (type === 'map<string,double>') return mapWithDefault(value, 'double', 0, name);
  if (typeof value !== { bool: 'boolean', int: 'number', double: 'number', string: 'string' }[type])
    throw createTypeError();
  return type === 'int' ? BigInt(value as number) : value;
}

/** A map that returns `fallback` for a missing key. It is no subclass of Map, because the CEL library accepts only Map itself. */
function mapWithDefault(value: unknown, type: FactType, fallback: unknown, name: string): Map<string, unknown> {
  const entries = Object.entries(objectOf(value, name)).map(
    ([key, item]) => [key, valueOf(type, item, `${name}.${key}`)] as const,
  );
  const map = new Map<string, unknown>(entries);
  map.get = (key) => (map.has(key) ? Map.prototype.get.call(map, key) : fallback);
  return map;
}

function objectOf(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw new TypeError(`${name} is not an object.`);
  return value as Readonly<Record<string, unknown>>;
}
