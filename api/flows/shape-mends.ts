import { exitsOf, type Step } from '../../domain/flows/definition';
import { offerNames } from '../../domain/closest-match';
import { templates } from '../../flows/templates';
import { fieldsAt } from './fields-at';
import { stepKinds } from './flow-schema';
import { isFields } from './is-fields';

/** What to do about a field that there is not, where these may still be written. */
export function mendOfField(written: string, fields: readonly string[]): string {
  if (fields.length === 0) return 'Take it out.';
  return offerNames(fields.length === 1 ? 'Write' : 'Write one of', written, fields, ', or take it out.');
}

/** What to do about a value that is none of those that there are. */
export const mendOfValue = (written: unknown, values: readonly string[]): string =>
  offerNames('Write one of', typeof written === 'string' ? written : '', values);

const byField: Readonly<Record<string, string>> = {
  name: 'Give a name, such as sign-up.',
  steps: 'Give an object of steps by name.',
  rules: 'Give a list of rules, each with when and then.',
  when: 'Write a condition, such as score < 40.',
  outcome: 'Give the name of an outcome, such as Confirmed.',
  event: 'Give the type of an event, such as sign-up.confirmed.',
};

const byType: Readonly<Record<string, string>> = {
  string: 'Give a text.',
  number: 'Give a whole number.',
  array: 'Give a list.',
};

const toSteps: readonly (string | undefined)[] = ['start', 'then', 'else', 'spent'];

/** What to do about a field at a path that is missing or of another type: by what it means, where that is known. */
export function mendOfType(path: readonly string[], expected: string, flow: unknown): string {
  const steps = isFields(flow) && isFields(flow['steps']) ? flow['steps'] : {};
  const [at, step = '', ...inner] = path;
  const field = path.at(-1) ?? '';
  if (at === 'steps' && path.length === 2) return `Give an object with its kind: ${stepKinds.join(', ')}.`;
  if (toSteps.includes(field) || inner[0] === 'exits')
    return inner[0] === 'exits' && inner.length === 1 ? mendOfExits(steps[step]) : mendOfTarget(Object.keys(steps));
  if (expected === 'number' && /seconds$/i.test(field)) return 'Give a whole number of seconds.';
  const fields = fieldsAt(path, flow);
  const object = fields.length === 0 ? 'Give an object.' : `Give an object with ${fields.join(', ')}.`;
  if (field === 'name' && inner[0] === 'options') return 'Give the reply a name, such as NotMe.';
  return byField[field] ?? byType[expected] ?? object;
}

const mendOfTarget = (names: readonly string[]) =>
  names.length === 0 ? 'Name a step.' : offerNames('Name one of the steps:', '', names);

/** The exits of a step that cannot be read, as far as what it says tells them. */
function mendOfExits(step: unknown): string {
  const { kind, ask, template, options } = isFields(step) ? step : {};
  const words = 'Give an object with a step for each exit';
  if (kind === 'confirm' && ask === 'reply') {
    const written: readonly unknown[] = Array.isArray(options)
      ? options
      : (templates.get(String(template))?.options ?? []);
    const replies = written.flatMap((reply) =>
      isFields(reply) && typeof reply['name'] === 'string' ? [reply['name']] : [],
    );
    const names = replies.length === 0 ? ['the name of each reply'] : new Set(replies);
    return `${words}: ${[...names, ...exitsOf({ kind, ask } as Step)].join(', ')}.`;
  }
  const known = kind === 'biometrics' || kind === 'notify' || (kind === 'confirm' && ask === 'token');
  return known ? `${words}: ${exitsOf({ kind, ask } as Step).join(', ')}.` : `${words}.`;
}
