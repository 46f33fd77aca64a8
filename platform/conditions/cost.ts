import type { ASTNode } from '@marcbachmann/cel-js';

/** By the name of a fact or of a field, such as `transaction.generic`: its size. */
export type SizesOfFacts = ReadonlyMap<string, FactSize>;

/**
 * The most steps that one evaluation may take. Today's machines take 2 ms for them. A list function with a list of 60 texts stays below:
 * `insights.exists(one, one in ['PH001', …])`.
 */
export const costMax = 15_000;

/** Reading this many characters takes as long as one operation. */
const charactersPerStep = 16;

/** The size of a fact without a declared size: a text of a transaction has at most 200 characters. */
const shortText: FactSize = { items: 0, characters: 200 };

/** An upper bound of what a part of a condition costs, and of the size of its value. A size is 0 if the value has none. */
interface Estimate extends FactSize {
  cost: number;
}

type MacroArgs = [macro: string, receiver: ASTNode, args: ASTNode[]];

const steps = (characters: number) => characters / charactersPerStep;
const macros = ['all', 'exists', 'exists_one', 'filter'];

const noSize: FactSize = { items: 0, characters: 0 };

/** The number of steps that the evaluation of a condition takes at most, with facts of these sizes. */
export function costOf(ast: ASTNode, sizes: SizesOfFacts): number {
  return estimate(ast, new Map()).cost;

  /** `variables`: the size of the variable of the macro around the node. */
  function estimate(node: ASTNode, variables: SizesOfFacts): Estimate {
    const { op, args } = node;
    if (op === 'value') return { cost: 1, items: 0, characters: typeof args === 'string' ? args.length : 0 };
    if (op === 'id') return { cost: 1, ...(variables.get(args) ?? sizes.get(args) ?? noSize) };
    if (op === 'rcall' && macros.includes(args[0])) return estimateMacro(args, variables);
    const field = op === '.' && args[0].op === 'id' ? sizes.get(`${args[0].args}.${args[1]}`) : undefined;
    if (field) return { cost: 2, ...field };
    const parts = partsOf(args).map((part) => estimate(part, variables));
    const cost = 1 + sum(parts.map((part) => part.cost));
    const characters = Math.max(0, ...parts.map((part) => part.characters));
    const items = Math.max(0, ...parts.map((part) => part.items));
    const [left, right] = parts;
    const shorter = Math.min(left?.characters ?? 0, right?.characters ?? 0);
    switch (op) {
      case '+': {
        const joined = sum(parts.map((part) => part.characters));
        const joinedItems = sum(parts.map((part) => part.items));
        return { cost: cost + steps(joined) + joinedItems, items: joinedItems, characters: joined };
      }
      case 'list':
        return { cost, items: Math.max(parts.length, items), characters };
      case 'in':
        return { cost: cost + (right?.items ?? 0) * (1 + steps(shorter)), items: 0, characters: 0 };
      case '==':
      case '!=':
        return { cost: cost + (1 + items) * (1 + steps(shorter)), items: 0, characters: 0 };
      case '<':
      case '<=':
      case '>':
      case '>=':
        return { cost: cost + steps(shorter), items: 0, characters: 0 };
      case 'rcall':
      case 'call':
        // The search of one text in another may compare every character with every other.
        if (args[0] === 'contains')
          return {
            cost: cost + steps((left?.characters ?? 0) * Math.max(1, right?.characters ?? 0)),
            items: 0,
            characters: 0,
          };
        // A number as text has fewer than 32 characters.
        return {
          cost: cost + steps(sum(parts.map((part) => part.characters))),
          items,
          characters: Math.max(32, characters),
        };
      default:
        return { cost, items, characters };
    }
  }

  /** `args`: the name of the macro, the list, and the variable with the condition on it. */
  function estimateMacro([macro, receiver, [variable, body]]: MacroArgs, variables: SizesOfFacts): Estimate {
    const list = estimate(receiver, variables);
    const name = variable?.op === 'id' ? variable.args : '';
    const item = new Map([[name, { items: 0, characters: list.characters }]]);
    const perItem = 1 + (body === undefined ? 0 : estimate(body, item).cost);
    return {
      cost: 1 + list.cost + list.items * perItem,
      items: macro === 'filter' ? list.items : 0,
      characters: list.characters,
    };
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** The nodes in the arguments of a node. Other arguments, such as the name of a method, are no nodes. */
function partsOf(args: unknown): ASTNode[] {
  if (Array.isArray(args)) return args.flatMap(partsOf);
  return typeof args === 'object' && args !== null && 'op' in args && 'args' in args ? [args as ASTNode] : [];
}

/** The largest sizes that facts can have. */
export const largestSizes = (facts: FactTypes): SizesOfFacts => mapFacts(facts, ({ size = shortText }) => size);

/** The sizes of the values of facts. */
export const sizesOf = (facts: FactTypes, values: Readonly<Record<string, unknown>>): SizesOfFacts =>
  mapFacts(facts, (_, path) =>
    measure(path.reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], values)),
  );

function mapFacts(
  facts: FactTypes,
  sizeOf: (fact: { size?: FactSize }, path: readonly string[]) => FactSize,
): SizesOfFacts {
  return new Map(
    Object.entries(facts).flatMap(([name, fact]): [string, FactSize][] => {
      if ('type' in fact) return [[name, sizeOf(fact, [name])]];
      const fields = Object.entries(fact.fields).map(([field, one]): [string, FactSize] => [
        `${name}.${field}`,
        sizeOf(one, [name, field]),
      ]);
      // The whole object is as large as its largest field, for expressions such as `transaction['city']`.
      return [...fields, [name, largest(fields.map(([, size]) => size))]];
    }),
  );
}

/** The size of a text, list or map. */
function measure(value: unknown): FactSize {
  if (typeof value === 'string') return { items: 0, characters: value.length };
  if (typeof value !== 'object' || value === null) return noSize;
  const texts = Array.isArray(value) ? value : Object.entries(value).flat();
  const items = Array.isArray(value) ? value.length : Object.keys(value).length;
  return { items, characters: largest(texts.map(measure)).characters };
}

const largest = (sizes: readonly FactSize[]): FactSize => ({
  items: Math.max(0, ...sizes.map(({ items }) => items)),
  characters: Math.max(0, ...sizes.map(({ characters }) => characters)),
});

/** CEL types of facts. The value of a missing key of a map is '' or 0, so that a missing key makes no condition fail. */
export type FactType =
  | 'bool'
  | 'int'
  | 'double'
  | 'string'
  | 'list<string>'
  | 'map<string,string>'
  | 'map<string,int>'
  | 'map<string,double>';

/** The largest size of a list, map or text: its items or entries, and the characters of each text and key in it. */
export interface FactSize {
  items: number;
  characters: number;
}

interface DeclaredFact {
  type: FactType;
  /** By default, the size of one text of a transaction. Required for lists and maps. */
  size?: FactSize;
}

/** The facts that conditions may use, by name. A fact with `fields` is an object. */
export type FactTypes = Readonly<Record<string, DeclaredFact | { fields: Readonly<Record<string, DeclaredFact>> }>>;

/** What is wrong with a condition. */
export interface ConditionIssue {
  /** One sentence. */
  message: string;
  /** How to fix it. */
  fix: string;
}
