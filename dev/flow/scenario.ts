import { z } from 'zod';
import { ratingKeys } from '../../domain/flows/decision-facts';
import type { FlowDefinition } from '../../domain/flows/definition';
import { outcomesOf } from '../../domain/flows/run';
import { quote, suggestNames } from '../../domain/text';
import { bureauCodePattern } from '../../domain/scoring/policy';
import { catalogue } from '../../domain/scoring/score';
import { FileError } from './load-flow';
import { invalidFields, type ScenarioTransaction } from './scenario-transaction';
import { scriptedStepSyntax, readScriptedStep, type ScriptedStep } from './scripted-step';
import { parseWithPositions } from './parse-with-positions';

/** A transaction, the scripted steps of its person, and the expected result of the flow run. */
export interface Scenario {
  name: string;
  transaction: ScenarioTransaction;
  /**
   * The scripted steps, in the order in which they are used. A prompt is what the person gets: a code or a question with its resends, or a
   * link. A code or a question uses the next scripted steps of its channel. A link uses the next scripted steps about images. A prompt ends
   * when the flow run leaves the step that made the prompt. If no scripted step is left, the person ignores the prompt.
   */
  person: readonly ScriptedStep[];
  /** Absent if nothing is expected. */
  expect?: Expectation;
}

/** The result that the flow run of a scenario must have. */
export interface Expectation {
  outcome: string;
  /** Every step that the flow run enters, in order, including the step with the outcome. */
  path?: readonly string[];
  /** The longest allowed duration of the flow run. */
  withinSeconds?: number;
  /** The exact number of messages. */
  sends?: number;
}

/** At most this many issues are printed, because many issues often have the same cause. */
const shownIssuesMax = 50;

/** The schema of an object without unknown fields. Its error has one line per unknown field, with the allowed names. */
const strictObject = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys
            .map((key) => `There is no field ${quote(key)}. ${suggestNames('Use one of', key, Object.keys(shape))}`)
            .join('\n')
        : undefined,
  });

/** The schema of a name from a list. `kind`: what has this name, such as `step`. Without a list, the schema accepts any name. */
const nameSchema = (kind: string, names: readonly string[] | undefined) =>
  z.string().superRefine((name, context) => {
    if (names && !names.includes(name))
      context.addIssue(`There is no ${kind} ${quote(name)}. ${suggestNames('Use one of', name, names)}`);
  });

const phoneSchema = z
  .string('Write `none`, or a phone in quotes, such as `"+5511987654321"`.')
  .superRefine((text, context) => {
    if (text === 'none' || /^\+55\d{10,11}$/.test(text)) return;
    // A phone must be split into country code and number. Country codes have one to three digits, and there is no table of them here. So
    // only phones with the code 55 can be split.
    if (/^\+\d{8,15}$/.test(text))
      context.addIssue(
        'Use a Brazilian phone here. Write any other phone as `body: { phone: { countryCode: …, number: … } }`.',
      );
    else context.addIssue('Write `none`, or a phone such as `"+5511987654321"`.');
  })
  .transform((text) => (text === 'none' ? null : text));

const emailSchema = z
  .string()
  .regex(/^(none|[^@\s]+@[^@\s]+)$/, 'Write `none`, or an address such as `maria@example.com`.')
  .transform((text) => (text === 'none' ? null : text));

const insightCodes: ReadonlySet<string> = new Set(catalogue.map(({ code }) => code));
const insightSchema = z.string().refine((code) => insightCodes.has(code) || bureauCodePattern.test(code), {
  error: ({ input }) =>
    `There is no insight ${quote(String(input))}. Use a code of docs/scoring.md, such as \`PH001\`. ` +
    'A code of a bureau is `X`, then any letter, then three digits.',
});

const ratingSchema = z.number().min(0).max(5);

const transactionSchema = strictObject({
  phone: phoneSchema.exactOptional(),
  email: emailSchema.exactOptional(),
  score: z.number().min(0).max(100).exactOptional(),
  insights: z.array(insightSchema).exactOptional(),
  ratings: strictObject(
    Object.fromEntries(ratingKeys.map((pair) => [pair, ratingSchema.exactOptional()])),
  ).exactOptional(),
  locale: z.string().min(1).exactOptional(),
  body: z.record(z.string(), z.unknown()).exactOptional(),
}).superRefine((value, context) => {
  // The service would reject a transaction with an invalid field, so this scenario could never pass.
  for (const { field, error } of invalidFields(value)) {
    const path = field.split('.');
    const [topField = ''] = path;
    context.addIssue({
      code: 'custom',
      path: Object.hasOwn(value, topField) ? [topField] : ['body', ...path],
      message: `POST /v1/transaction rejects ${quote(field)}: it ${error}.`,
    });
  }
});

const scriptedStepSchema = z.string().transform((text, context): ScriptedStep => {
  const step = readScriptedStep(text);
  if (step) return step;
  context.addIssue({ code: 'custom', message: `${quote(text)} is not a scripted step.`, params: { unreadable: true } });
  return z.NEVER;
});

const wholeNumberSchema = z.int().min(0);

/** The schema of a scenario file. With a flow, expected outcomes and steps must exist in it. */
function createScenariosSchema(flow: FlowDefinition | undefined) {
  const expectationSchema = strictObject({
    outcome: nameSchema('outcome', flow && outcomesOf(flow)),
    path: z.array(nameSchema('step', flow && Object.keys(flow.steps))).exactOptional(),
    withinSeconds: wholeNumberSchema.exactOptional(),
    sends: wholeNumberSchema.exactOptional(),
  });
  const scenarioSchema = strictObject({
    name: z.string().min(1),
    transaction: transactionSchema.default({}),
    person: z.array(scriptedStepSchema),
    expect: expectationSchema,
  });
  return z.array(scenarioSchema).min(1);
}

/** Help for a scripted step that cannot be read: the syntax of all scripted steps. Empty if every scripted step can be read. */
const scriptedStepHelp = (issues: readonly z.core.$ZodIssue[]) =>
  issues.some((issue) => issue.code === 'custom' && issue.params?.['unreadable'] === true)
    ? [
        `Scripted steps:\n  ${scriptedStepSyntax.join('\n  ')}\nA scripted step can have a time at its start or its end, such as: after 2m presses 1 on whatsapp`,
      ]
    : [];

/** Finds scenarios with the same name. Names must differ, because results are printed by name. */
function findDuplicateNames(value: unknown): { path: PropertyKey[]; message: string }[] {
  const names = z.array(z.looseObject({ name: z.string() }).catch({ name: '' })).safeParse(value).data ?? [];
  return names.flatMap(({ name }, index) =>
    name !== '' && names.findIndex((other) => other.name === name) < index
      ? [{ path: [index, 'name'], message: `Two scenarios have the name ${quote(name)}.` }]
      : [],
  );
}

/**
 * Reads the scenarios of a file and checks their expectations against the flow. Throws one FileError with all issues, each
 * with file, line and column.
 */
export function readScenarios(file: string, text: string, flow?: FlowDefinition): readonly Scenario[] {
  const { errors, value: readValue, positionOf } = parseWithPositions(text);
  const toFileError = (
    issues: readonly { line: number; column: number; message: string }[],
    extraLines: readonly string[] = [],
  ) => {
    const sortedIssues = issues.toSorted((one, other) => one.line - other.line || one.column - other.column);
    const lines = [
      ...new Set(sortedIssues.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`)),
    ];
    const hiddenLine = lines.length > shownIssuesMax ? [`… and ${lines.length - shownIssuesMax} more`] : [];
    return new FileError([...lines.slice(0, shownIssuesMax), ...hiddenLine, ...extraLines].join('\n'));
  };
  if (errors.length > 0) throw toFileError(errors);
  let value: unknown;
  try {
    value = readValue();
  } catch (error) {
    // The library throws if aliases of YAML expand to too much data.
    throw toFileError([{ line: 1, column: 1, message: `${(error as Error).message}.` }]);
  }
  const { data, error } = createScenariosSchema(flow).safeParse(value);
  const duplicates = findDuplicateNames(value);
  if (data && duplicates.length === 0) return data;
  const schemaIssues = (error?.issues ?? []).flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.message.split('\n').map((message, index) => ({ path: [...issue.path, issue.keys[index] ?? ''], message }))
      : [issue],
  );
  // Only the first issue of each field is reported, because the other issues follow from it.
  const pathKey = ({ path }: { path: readonly PropertyKey[] }) => path.join('\n');
  const firstIssues = [...schemaIssues, ...duplicates].filter(
    (issue, index, all) => all.findIndex((other) => pathKey(other) === pathKey(issue)) === index,
  );
  const locatedIssues = firstIssues.map(({ path, message }) => {
    const field = path.slice(1).join('.');
    return { ...positionOf(path), message: field === '' ? message : `${field}: ${message}` };
  });
  throw toFileError(locatedIssues, scriptedStepHelp(error?.issues ?? []));
}

/** Reads the scripted steps of --person, such as `ignores sms; after 2m presses 2 on whatsapp`. Throws FileError. */
export function readPersonOption(option: string): Scenario {
  const texts = option.split(';').filter((text) => text.trim() !== '');
  const { data, error } = z
    .array(scriptedStepSchema)
    .min(1, 'Write at least one scripted step.')
    .safeParse(texts.map((text) => text.trim()));
  if (data) return { name: '--person', transaction: {}, person: data };
  const issues = error.issues.map(({ message }) => `--person: ${message}`);
  throw new FileError([...issues, ...scriptedStepHelp(error.issues)].join('\n'));
}
