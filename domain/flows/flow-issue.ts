import { quote } from '../text';
import type { Channel } from '../confirmations/settings';
import type { FlowDefinition, NamedReply, Step, Template, Templates } from './definition';

/** One issue of a flow. */
export interface FlowIssue {
  /** The kind of issue, kebab-case. */
  code: string;
  /** The position in the definition, such as steps.code.exits.Valid. Empty if the issue is about the whole definition. */
  path: string;
  /** What is wrong. */
  message: string;
  /** What to do about it. */
  fix: string;
}

/** All kinds of issues that `checkFlow` reports. */
export const flowIssueCodes = [
  'not-plain-data',
  'definition-too-large',
  'version-out-of-range',
  'no-steps',
  'too-many-steps',
  'too-many-arrows',
  'start-missing',
  'start-unknown',
  'flow-name',
  'step-name',
  'reply-name',
  'outcome-name',
  'outcome-name-taken',
  'event-name',
  'name-reserved',
  'name-too-long',
  'title-too-long',
  'because-too-long',
  'personal-data',
  'exit-missing',
  'exit-unneeded',
  'leads-nowhere',
  'step-unreached',
  'no-outcome',
  'no-end',
  'loop-without-bound',
  'exhausted-leads-back',
  'exhausted-missing',
  'exhausted-unneeded',
  'visits-out-of-range',
  'text-missing',
  'text-twice',
  'text-on-whatsapp-code',
  'template-unknown',
  'template-of-other-channel',
  'template-of-other-ask',
  'question-by-voice',
  'lifetime-out-of-range',
  'send-limit-out-of-range',
  'deliver-within-out-of-range',
  'no-delivery-reports',
  'pause-out-of-range',
  'attempts-out-of-range',
  'digits-out-of-range',
  'resend-missing',
  'token-field-on-question',
  'replies-on-code',
  'too-few-replies',
  'too-many-replies',
  'replies-out-of-order',
  'reply-name-twice',
  'reply-name-taken',
  'reply-words-missing',
  'reply-word-form',
  'reply-word-twice',
  'reply-word-opts-out',
  'reply-word-opts-in',
  'reply-word-asks-for-help',
  'reply-word-too-long',
  'label-missing',
  'label-twice',
  'label-too-long',
  'label-form',
  'line-break',
  'language-missing',
  'language-unknown',
  'body-missing',
  'body-too-long',
  'link-not-allowed',
  'too-many-segments',
  'subject-missing',
  'subject-too-long',
  'subject-unneeded',
  'placeholder-unknown',
  'too-many-values',
  'value-name',
  'value-length',
  'value-label',
  'value-on-whatsapp',
  'code-not-shown',
  'code-in-subject',
  'code-in-question',
  'channel-twice',
  'link-seconds-out-of-range',
  'decide-within-out-of-range',
  'wait-out-of-range',
  'give-up-out-of-range',
  'rules-missing',
  'too-many-rules',
  'rule-twice',
  'condition-empty',
  'condition-too-long',
  'condition-wrong',
  'condition-names-no-step',
  'condition-names-no-exit',
  'condition-names-no-rating',
  'condition-names-no-insight',
  'too-many-paths',
  'run-time-too-long',
  'too-many-steps-entered',
  'too-many-sends',
] as const;

export type FlowIssueCode = (typeof flowIssueCodes)[number];

export function createIssue(code: FlowIssueCode, path: string, message: string, fix: string): FlowIssue {
  return { code, path, message, fix };
}

/** A value as text for a message: as JSON in backticks, cut after 40 characters. A number has no backticks. */
export function formatValue(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value);
  if (text === undefined) return 'not a JSON value';
  if (typeof value === 'number') return text;
  return quote(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

/** Checks that a number is whole and within the range. Returns one issue, or none. */
export function checkRange(
  code: FlowIssueCode,
  path: string,
  value: number | undefined,
  [low, high]: readonly [number, number],
): FlowIssue[] {
  if (value !== undefined && Number.isInteger(value) && value >= low && value <= high) return [];
  const field = path.slice(path.lastIndexOf('.') + 1);
  const unit = /seconds$/i.test(field) ? ' of seconds' : '';
  return [
    createIssue(
      code,
      path,
      `${quote(field)} is ${formatValue(value)}.`,
      `Give a whole number${unit} from ${low} to ${high}.`,
    ),
  ];
}

/** The input of the flow checks. */
export interface CheckContext {
  flow: FlowDefinition;
  /**
   * The steps by name, in the order of the definition. This is a map and not an object, so that a step can have any name, such as
   * `constructor`.
   */
  steps: ReadonlyMap<string, Step>;
  /** Names of steps with an invalid shape. Other steps may lead to them. */
  malformedSteps: ReadonlySet<string>;
  templates: Templates;
  /** Checks the body or subject of a message, or the label of a reply, by the limits of the tenant. */
  checkMessage?: ((text: string, path: string, channel: Channel) => readonly FlowIssue[]) | undefined;
  /** Checks a condition. Undefined if the condition is valid. */
  checkCondition?: ((expression: string) => Pick<FlowIssue, 'message' | 'fix'> | undefined) | undefined;
}

/** The names of all steps, including steps with an invalid shape. */
export const stepNames = ({
  steps,
  malformedSteps,
}: Pick<CheckContext, 'steps' | 'malformedSteps'>): readonly string[] => [...steps.keys(), ...malformedSteps];

/** Checks a whole flow. */
export type FlowCheck = (context: CheckContext) => Iterable<FlowIssue>;

/** Checks one step, which is at `path`. */
export type StepCheck = (step: Step, path: string, context: CheckContext) => Iterable<FlowIssue>;

/** The template that a confirm step names, if there is one with this name. */
export function templateOf(step: Step, { templates }: Pick<CheckContext, 'templates'>): Template | undefined {
  return step.kind === 'confirm' && step.template !== undefined ? templates.get(step.template) : undefined;
}

/** The replies of a question or of its template. Undefined if both have none. */
export function repliesOf(step: Step, context: Pick<CheckContext, 'templates'>): readonly NamedReply[] | undefined {
  return step.kind === 'confirm' ? (step.options ?? templateOf(step, context)?.options) : undefined;
}

/** Each repetition in the patterns has a limit. So the time of a match grows only linearly with the length of the text. */
const patterns: readonly { kind: string; pattern: RegExp; fix?: string }[] = [
  { kind: 'an e-mail address', pattern: /[^\s@]@[^\s@.]{1,63}\.[^\s@]/ },
  // A CNPJ may have letters since 2026.
  { kind: 'a document number', pattern: /[0-9A-Z]{2}\.?[0-9A-Z]{3}\.?[0-9A-Z]{3}\/[0-9A-Z]{4}-?\d{2}/ },
  { kind: 'a CPF', pattern: /\d{3}\.\d{3}\.\d{3}-?\d{2}/ },
  {
    kind: 'a phone or document number',
    pattern: /\d(?:[ ().\-/_+]{0,3}\d){6}/,
    fix: 'Remove personal data. Seven or more digits count as personal data, even with spaces or punctuation between them.',
  },
];

/** Finds possible personal data. A definition must have none, because all operators can read definitions. */
export function findPersonalData(text: string, path: string): FlowIssue[] {
  const found = patterns.find(({ pattern }) => pattern.test(text));
  if (!found) return [];
  return [
    createIssue(
      'personal-data',
      path,
      `The text seems to contain ${found.kind}.`,
      found.fix ?? 'Remove personal data.',
    ),
  ];
}
