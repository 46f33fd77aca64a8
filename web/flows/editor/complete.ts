import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import type { FlowTemplate } from '../data';
import { fixedExits } from './fixed-exits';
import { type JsonPlace, placeAt, readableValue } from './json-place';
import { type JsonSchema, schemasAt, skeletonOf } from './schema';

/** What completion knows about flows: their JSON Schema, and the reviewed texts of messages. */
export interface FlowLanguage {
  schema: JsonSchema;
  templates: readonly FlowTemplate[];
}

type Fields = Readonly<Record<string, unknown>>;

const asFields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((current, key) => asFields(current)[key], value);

/** The fields whose value is the name of a step. */
const stepFields = new Set(['start', 'then', 'else', 'failed', 'exhausted']);

/** The field `name` of each object in a list. */
const namesOf = (list: unknown): string[] =>
  Array.isArray(list)
    ? list.flatMap((one) => (typeof asFields(one)['name'] === 'string' ? [String(asFields(one)['name'])] : []))
    : [];

/** The names that the exits of a step can have. */
function exitsOf(step: Fields, { templates }: FlowLanguage): readonly string[] {
  const { kind, ask, options, template, deliverWithinSeconds } = step;
  if (kind === 'biometrics' || kind === 'notify') return fixedExits[kind];
  if (kind !== 'confirm') return [];
  const ofDelivery = deliverWithinSeconds === undefined ? [] : fixedExits.deliverWithin;
  if (ask === 'token') return [...fixedExits.token, ...ofDelivery];
  const replies = options ? namesOf(options) : namesOf(templates.find(({ name }) => name === template)?.replies);
  return [...replies, ...fixedExits.reply, ...ofDelivery];
}

/**
 * Replaces the name or value at the cursor by `text`, with the indentation of the current line. Moves the cursor into the first empty value
 * of `text`.
 */
const inserting = (text: string) => (view: EditorView, _completion: Completion, start: number, end: number) => {
  const place = placeAt(view.state, end);
  const [from, to] = place && place.from < start ? [place.from, place.to] : [start, end];
  const [indentation = ''] = /^\s*/.exec(view.state.doc.lineAt(from).text) ?? [];
  const insert = text.replaceAll('\n', `\n${indentation}`);
  const empty = insert.search(/(?<=: )(?:""|\{\}|\[\])/);
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + (empty < 0 ? insert.length : empty + 1) },
    userEvent: 'input.complete',
  });
};

/** The suggestions for the name of a field. `value`: the value of the whole text. */
function nameCompletions({ path, hasColon }: JsonPlace, value: unknown, language: FlowLanguage): Completion[] {
  const { schema } = language;
  const present = new Set(Object.keys(asFields(valueAt(value, path))));
  const completion = (name: string, field: JsonSchema, detail?: string): Completion => ({
    label: name,
    type: 'property',
    ...(detail === undefined ? {} : { detail }),
    ...(field.description === undefined ? {} : { info: field.description }),
    apply: inserting(`"${name}"${hasColon ? '' : `: ${skeletonOf(field, schema)}`}`),
  });
  const schemas = schemasAt(schema, path, value);
  if (path.at(-1) === 'exits') {
    const exits = exitsOf(asFields(valueAt(value, path.slice(0, -1))), language);
    return exits.filter((exit) => !present.has(exit)).map((exit) => completion(exit, { type: 'string' }));
  }
  if (path.length === 1 && path[0] === 'steps')
    // Suggests a new step of each kind. The name of the new step is its kind, until the user changes the name.
    return schemasAt(schema, ['steps', ''], undefined).flatMap((step) => {
      const kind = String(step.properties?.['kind']?.const);
      return present.has(kind) ? [] : [completion(kind, step)];
    });
  const fields = new Map(schemas.flatMap(({ properties = {} }) => Object.entries(properties)));
  const required = new Set(schemas.length === 1 ? schemas[0]?.required : []);
  return [...fields]
    .filter(([name]) => !present.has(name))
    .map(([name, field]) => ({ ...completion(name, field), boost: required.has(name) ? 1 : 0 }));
}

/** Whether a template fits the fields `channel` and `ask` of a step. A missing field fits every template. */
function fits({ channels, ask }: FlowTemplate, step: Fields): boolean {
  const { channel } = step;
  const fitsChannel = typeof channel !== 'string' || channels.some((one) => one === channel);
  return fitsChannel && (step['ask'] === undefined || step['ask'] === ask);
}

/** The suggestions for the value of a field. `value`: the value of the whole text. */
function valueCompletions({ path }: JsonPlace, value: unknown, language: FlowLanguage): Completion[] {
  const { schema, templates } = language;
  const [field = '', parent = asFields(valueAt(value, path.slice(0, -1)))] = [path.at(-1)];
  const text = (label: string, type: string, info?: string): Completion => ({
    ...{ label, type, apply: inserting(JSON.stringify(label)) },
    ...(info === undefined ? {} : { info }),
  });
  const isNextStep = stepFields.has(field) || path.at(-2) === 'exits';
  if (isNextStep) return Object.keys(asFields(asFields(value)['steps'])).map((name) => text(name, 'variable'));
  if (field === 'template')
    return templates
      .filter((template) => fits(template, parent))
      .map(({ name, message }) => text(name, 'constant', message.en.body));
  if (field === 'outcome')
    return [
      ...new Set(
        Object.values(asFields(asFields(value)['steps'])).flatMap((step) => {
          const { outcome } = asFields(step);
          return typeof outcome === 'string' && outcome !== '' && step !== parent ? [outcome] : [];
        }),
      ),
    ].map((outcome) => text(outcome, 'constant'));
  const schemas = schemasAt(schema, path, value);
  if (field === 'kind')
    return schemasAt(schema, path.slice(0, -1), {}).map(({ properties }) =>
      text(String(properties?.['kind']?.const), 'keyword'),
    );
  const constants = schemas.flatMap((one) => one.enum ?? (one.const === undefined ? [] : [one.const]));
  if (constants.length > 0) return constants.map((one) => text(String(one), 'enum', schemas[0]?.description));
  const [only] = schemas;
  if (schemas.length !== 1 || !only || only.type === 'string') return [];
  const skeleton = skeletonOf(only, schema);
  return [
    {
      label: skeleton.replaceAll(/\s+/g, ' '),
      type: 'constant',
      info: only.description ?? '',
      apply: inserting(skeleton),
    },
  ];
}

/** Completes field names, kinds, values, names of steps, templates, exits and outcomes. */
export const completeFlow =
  (language: () => FlowLanguage) =>
  (context: CompletionContext): CompletionResult | null => {
    const place = placeAt(context.state, context.pos);
    const typed = place && context.state.doc.sliceString(place.from, context.pos);
    // If the user did not press Ctrl+Space, completes only a name or value that the user has begun to type.
    if (!place || (!context.explicit && typed === '')) return null;
    const value = readableValue(context.state);
    const options =
      place.expects === 'name' ? nameCompletions(place, value, language()) : valueCompletions(place, value, language());
    if (options.length === 0) return null;
    // The labels of options have no quotes, so the filter starts after the quote that the user typed.
    const from = typed?.startsWith('"') ? place.from + 1 : context.pos;
    return { from, options, validFor: /^[\w-]*$/ };
  };
