import { z } from 'zod';
import { suggestNames } from '../../domain/closest-match';
import { ratingKeys } from '../../domain/flows/decision-facts';
import type { FlowDefinition } from '../../domain/flows/definition';
import { bureauCode } from '../../domain/scoring/bureau-code';
import { catalogue } from '../../domain/scoring/catalogue';
import { FileError } from './load-flow';
import { refusalsOf, type ScenarioTransaction } from './scenario-transaction';
import { allowedSteps, readScriptedStep, type ScriptedStep } from './scripted-step';
import { readPositions } from './read-positions';

/** A person, scripted, and what is to come of it. */
export interface Scenario {
  name: string;
  transaction: ScenarioTransaction;
  /**
   * In order. A step of the flow that asks takes the next scripted steps about its channel, up to the first that ends the ask;
   * the one after it waits for the next ask on that channel. Without one left, the person ignores what is asked.
   */
  person: readonly ScriptedStep[];
  /** Absent where a run is only looked at. */
  expect?: Expectation;
}

export interface Expectation {
  outcome: string;
  /** Every step that is entered, in order, the outcome's own included. */
  path?: readonly string[];
  /** From the beginning to the end of the run, at most. */
  withinSeconds?: number;
  /** Messages in all, exactly. */
  sends?: number;
}

/** As many issues of a file as a person reads before fixing what they tell of. */
const toldMost = 50;

/** An object that tells, a line for each, which fields it has when one is not there. */
const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys
            .map((key) => `There is no ${key}. ${suggestNames('There are', key, Object.keys(shape))}`)
            .join('\n')
        : undefined,
  });

/** A name out of a list; any name where the list is not known. */
const nameOf = (sort: string, names: readonly string[] | undefined) =>
  z.string().superRefine((name, context) => {
    if (names && !names.includes(name))
      context.addIssue(`There is no ${sort} ${name}. ${suggestNames('There are', name, names)}`);
  });

const phone = z
  .string('Write none, or a phone in quotes, such as "+5511987654321".')
  .superRefine((text, context) => {
    if (text === 'none' || /^\+55\d{10,11}$/.test(text)) return;
    // How many digits of another number are the country's, and how many the area's, only a table could tell.
    if (/^\+\d{8,15}$/.test(text))
      context.addIssue('Write a phone of Brazil; give another as body: { phone: { countryCode: …, number: … } }.');
    else context.addIssue('Write none, or a phone such as "+5511987654321".');
  })
  .transform((text) => (text === 'none' ? null : text));

const email = z
  .string()
  .regex(/^(none|[^@\s]+@[^@\s]+)$/, 'Write none, or an address such as "maria@example.com".')
  .transform((text) => (text === 'none' ? null : text));

const insightCodes: ReadonlySet<string> = new Set(catalogue.map(({ code }) => code));
const insight = z.string().refine((code) => insightCodes.has(code) || bureauCode.test(code), {
  error: ({ input }) =>
    `There is no insight ${String(input)}: docs/scoring.md has the codes, and those of bureaus are X, a letter and three digits.`,
});

const rating = z.number().min(0).max(5);

const transaction = object({
  phone: phone.exactOptional(),
  email: email.exactOptional(),
  score: z.number().min(0).max(100).exactOptional(),
  insights: z.array(insight).exactOptional(),
  ratings: object(Object.fromEntries(ratingKeys.map((pair) => [pair, rating.exactOptional()]))).exactOptional(),
  locale: z.string().min(1).exactOptional(),
  body: z.record(z.string(), z.unknown()).exactOptional(),
}).superRefine((found, context) => {
  // What the service would refuse is told here: a run of it could only fail.
  for (const { field, why } of refusalsOf(found)) {
    const path = field.split('.');
    const [top = ''] = path;
    context.addIssue({
      code: 'custom',
      path: Object.hasOwn(found, top) ? [top] : ['body', ...path],
      message: `POST /v1/transaction refuses ${field}: it ${why}.`,
    });
  }
});

const scriptedStep = z.string().transform((text, context): ScriptedStep => {
  const step = readScriptedStep(text);
  if (step) return step;
  context.addIssue({ code: 'custom', message: `"${text}" is no scripted step.`, params: { unreadable: true } });
  return z.NEVER;
});

const wholeNumber = z.int().min(0);

/** A file of scenarios. With a flow, what they expect has to be something that it has. */
function scenariosOf(flow: FlowDefinition | undefined) {
  const outcomes = flow && Object.values(flow.steps).flatMap((step) => (step.kind === 'outcome' ? [step.outcome] : []));
  const expectation = object({
    outcome: nameOf('outcome', outcomes && [...new Set(outcomes)]),
    path: z.array(nameOf('step', flow && Object.keys(flow.steps))).exactOptional(),
    withinSeconds: wholeNumber.exactOptional(),
    sends: wholeNumber.exactOptional(),
  });
  const scenario = object({
    name: z.string().min(1),
    transaction: transaction.default({}),
    person: z.array(scriptedStep),
    expect: expectation,
  });
  return z.array(scenario).min(1);
}

/** What may be written, below the issues of those that were not. */
const allowed = (issues: readonly z.core.$ZodIssue[]) =>
  issues.some((issue) => issue.code === 'custom' && issue.params?.['unreadable'] === true)
    ? [`Scripted steps:\n  ${allowedSteps.join('\n  ')}`]
    : [];

/** Names that an earlier scenario has: a failed one is told by its name. */
function repeatedNames(value: unknown): { path: PropertyKey[]; message: string }[] {
  const names = z.array(z.looseObject({ name: z.string() }).catch({ name: '' })).safeParse(value).data ?? [];
  return names.flatMap(({ name }, index) =>
    name !== '' && names.findIndex((other) => other.name === name) < index
      ? [{ path: [index, 'name'], message: `Two scenarios are named "${name}".` }]
      : [],
  );
}

/**
 * Reads the scenarios of a file, and holds what they expect against the flow, where there is one. Throws one FileError for all
 * issues, each with the file, line and column.
 */
export function readScenarios(file: string, text: string, flow?: FlowDefinition): readonly Scenario[] {
  const { errors, value: read, placeOf } = readPositions(text);
  const fail = (issues: readonly { line: number; column: number; message: string }[], more: readonly string[] = []) => {
    const inOrder = issues.toSorted((one, other) => one.line - other.line || one.column - other.column);
    const lines = [...new Set(inOrder.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`))];
    const rest = lines.length > toldMost ? [`… and ${lines.length - toldMost} more`] : [];
    return new FileError([...lines.slice(0, toldMost), ...rest, ...more].join('\n'));
  };
  if (errors.length > 0) throw fail(errors);
  let value: unknown;
  try {
    value = read();
  } catch (error) {
    // The library bounds what aliases may grow to.
    throw fail([{ line: 1, column: 1, message: `${(error as Error).message}.` }]);
  }
  const { data, error } = scenariosOf(flow).safeParse(value);
  const repeated = repeatedNames(value);
  if (data && repeated.length === 0) return data;
  const found = (error?.issues ?? []).flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.message.split('\n').map((message, at) => ({ path: [...issue.path, issue.keys[at] ?? ''], message }))
      : [issue],
  );
  // What follows from an issue of the same field is held back.
  const placeKey = ({ path }: { path: readonly PropertyKey[] }) => path.join('\n');
  const first = [...found, ...repeated].filter(
    (issue, at, all) => all.findIndex((other) => placeKey(other) === placeKey(issue)) === at,
  );
  const located = first.map(({ path, message }) => {
    const field = path.slice(1).join('.');
    return { ...placeOf(path), message: field === '' ? message : `${field}: ${message}` };
  });
  throw fail(located, allowed(error?.issues ?? []));
}

/** Reads a person of one line, such as `ignores sms; after 2m presses 2 on whatsapp`. Throws FileError. */
export function readPersonOption(option: string): Scenario {
  const texts = option.split(';').filter((text) => text.trim() !== '');
  const { data, error } = z
    .array(scriptedStep)
    .min(1, 'Write at least one scripted step.')
    .safeParse(texts.map((text) => text.trim()));
  if (data) return { name: '--person', transaction: {}, person: data };
  const issues = error.issues.map(({ message }) => `--person: ${message}`);
  throw new FileError([...issues, ...allowed(error.issues)].join('\n'));
}
