import { Environment } from '@marcbachmann/cel-js';
import type { ConditionIssue } from './types';
import { issueOf, forbidden } from './find-issue';
import type { FactType, FactTypes } from './types';

/** Conditions over facts, written in CEL: the same condition and values always give the same answer, in bounded time. */
export interface Conditions {
  /** What is wrong with a condition, and what to do about it; undefined when it can be evaluated. */
  check: (expression: string) => ConditionIssue | undefined;
  /**
   * Whether a condition holds. What cannot be worked out, such as the number of a text that is none, does not hold.
   * Values are by name, as plain data; numbers of type int are whole. Throws ConditionError for what `check` refuses, and
   * TypeError or RangeError when a value is not of the type of its fact.
   */
  evaluate: (expression: string, values: Readonly<Record<string, unknown>>) => boolean;
}

export class ConditionError extends Error {
  override name = 'ConditionError';
}

const trueOrFalse = 'Write what is true or false, such as a comparison by ==, < or in.';

/** What 500 characters can be without being a riddle; the parser stops beyond it. */
const limits = { maxAstNodes: 300, maxDepth: 24, maxListElements: 60, maxMapEntries: 0, maxCallArguments: 3 };

export function createConditions(
  facts: FactTypes,
  { maxLength }: { maxLength: number } = { maxLength: 500 },
): Conditions {
  // CEL compares a double with an int by < but not by ==, which nobody would guess.
  const environment = new Environment({ limits }).registerOperator(
    'double == int',
    (left: number, right: bigint) => left === Number(right),
  );
  for (const [name, fact] of Object.entries(facts))
    if ('type' in fact) environment.registerVariable(name, fact.type);
    else environment.registerVariable({ name, schema: mapValues(fact.fields, ({ type }) => type) });

  const check = (expression: string): ConditionIssue | undefined => {
    if (expression.trim() === '') return { message: 'It is empty.', fix: trueOrFalse };
    if (expression.length > maxLength)
      return {
        message: `It has ${expression.length} characters, more than ${maxLength}.`,
        fix: 'Make two of it.',
      };
    try {
      const parsed = environment.parse(expression);
      const refused = forbidden(parsed.ast, facts);
      if (refused !== undefined) return refused;
      const { valid, type, error } = parsed.check();
      if (!valid) return issueOf(error, facts, expression);
      return type === 'bool' ? undefined : { message: `It is of type ${type}.`, fix: trueOrFalse };
    } catch (error) {
      return issueOf(error, facts, expression);
    }
  };

  const evaluate = (expression: string, values: Readonly<Record<string, unknown>>): boolean => {
    const issue = check(expression);
    if (issue !== undefined) throw new ConditionError(`${issue.message} ${issue.fix}`);
    const context = mapValues(facts, (fact, name) =>
      'type' in fact ? valueOf(fact.type, values[name], name) : fieldsOf(fact.fields, values[name], name),
    );
    try {
      return environment.evaluate(expression, context) === true;
    } catch (error) {
      if (error instanceof Error && error.name === 'EvaluationError') return false;
      throw error;
    }
  };

  return { check, evaluate };
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
}

function fieldsOf(fields: Readonly<Record<string, { type: FactType }>>, value: unknown, name: string): unknown {
  const given = objectOf(value, name);
  return new Map(
    Object.entries(fields).map(([field, { type }]) => [field, valueOf(type, given[field], `${name}.${field}`)]),
  );
}

/** A value as CEL has it. */
function valueOf(type: FactType, value: unknown, name: string): unknown {
  const wrong = () => new TypeError(`${name} is not of type ${type}.`);
  if (type === 'list<string>') {
    if (!Array.isArray(value)) throw wrong();
    return value.map((item) => valueOf('string', item, name));
  }
  if (type === 'map<string,string>') return totalMap(value, 'string', '', name);
  if (type === 'map<string,int>') return totalMap(value, 'int', 0n, name);
  if (type === 'map<string,double>') return totalMap(value, 'double', 0, name);
  if (typeof value !== { bool: 'boolean', int: 'number', double: 'number', string: 'string' }[type]) throw wrong();
  return type === 'int' ? BigInt(value as number) : value;
}

/** A map whose every key reads as something. It stays a Map by its constructor, which is how the library knows one. */
function totalMap(value: unknown, type: FactType, otherwise: unknown, name: string): Map<string, unknown> {
  const entries = Object.entries(objectOf(value, name)).map(
    ([key, item]) => [key, valueOf(type, item, `${name}.${key}`)] as const,
  );
  const map = new Map<string, unknown>(entries);
  map.get = (key) => (map.has(key) ? Map.prototype.get.call(map, key) : otherwise);
  return map;
}

function objectOf(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw new TypeError(`${name} is not an object.`);
  return value as Readonly<Record<string, unknown>>;
}
