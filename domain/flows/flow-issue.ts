import { quote } from '../quote';

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
  'template-unknown',
  'template-of-other-channel',
  'template-of-other-ask',
  'code-on-whatsapp',
  'lifetime-out-of-range',
  'send-limit-out-of-range',
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
