import { type FlowCheck, type StepCheck, stepNames } from '../check-context';
import { createIssue, type FlowIssue, type FlowIssueCode } from '../flow-issue';
import { flowLimits } from '../flow-limits';
import { namePatterns } from '../name-patterns';
import { notDecided } from '../leave-step';
import type { RunStatus } from '../run';
import { quote } from '../../quote';
import { findPersonalData } from './find-personal-data';

/** The form that one kind of name must have. `fix`: how to correct a name with another form. */
interface NameFormat {
  code: FlowIssueCode;
  pattern: RegExp;
  fix: string;
}

const nameFormats = {
  flow: {
    code: 'flow-name',
    pattern: namePatterns.kebab,
    fix: 'Write it in kebab-case, with a letter first, such as `sign-up`.',
  },
  step: {
    code: 'step-name',
    pattern: namePatterns.kebab,
    fix: 'Write it in kebab-case, with a letter first, such as `ask-by-sms`.',
  },
  reply: { code: 'reply-name', pattern: namePatterns.pascal, fix: 'Write it in PascalCase, such as `NotMe`.' },
  outcome: { code: 'outcome-name', pattern: namePatterns.pascal, fix: 'Write it in PascalCase, such as `Confirmed`.' },
  event: {
    code: 'event-name',
    pattern: namePatterns.event,
    fix: 'Write lower-case words separated by dots or hyphens, such as `step-up.started`.',
  },
} as const satisfies Record<string, NameFormat>;

/** Names that JavaScript uses for properties of every object. */
const reservedNames = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype']);

/** Checks the form of one name. `kind`: what has the name. `path`: where the name is in the definition. */
export function checkName(kind: keyof typeof nameFormats, name: string, path: string): FlowIssue[] {
  const { code, pattern, fix }: NameFormat = nameFormats[kind];
  if (reservedNames.has(name))
    return [createIssue('name-reserved', path, `${quote(name)} is a reserved name.`, 'Choose another name.')];
  if (name.length > flowLimits.nameCharacters)
    return [
      createIssue(
        'name-too-long',
        path,
        `The name has ${name.length} characters.`,
        `Use at most ${flowLimits.nameCharacters} characters.`,
      ),
    ];
  const personalDataIssues = findPersonalData(name, path);
  if (personalDataIssues.length > 0 || pattern.test(name)) return personalDataIssues;
  return [
    createIssue(
      code,
      path,
      name === '' ? `The ${kind} has no name.` : `${quote(name)} is not a valid ${kind} name.`,
      fix,
    ),
  ];
}

/** Finds a line break in a text that pages and mails show on one line. */
export const checkLineBreaks = (line: string, path: string): FlowIssue[] =>
  line.includes('\n')
    ? [createIssue('line-break', path, 'The text has a line break.', 'Write the text on one line.')]
    : [];

function checkLine(code: FlowIssueCode, field: string, line: string, path: string): FlowIssue[] {
  const lineBreakIssues = checkLineBreaks(line, path);
  if (lineBreakIssues.length > 0) return lineBreakIssues;
  if (line.length <= flowLimits.titleCharacters) return findPersonalData(line, path);
  return [
    createIssue(
      code,
      path,
      `${field} has ${line.length} characters.`,
      `Use at most ${flowLimits.titleCharacters} characters.`,
    ),
  ];
}

function checkOutcome(name: string, path: string): FlowIssue[] {
  const canceled: RunStatus = 'Canceled';
  if (name !== canceled && name !== notDecided) return checkName('outcome', name, path);
  const runs = name === canceled ? 'canceled runs' : 'runs that a failed decision ended';
  return [createIssue('outcome-name-taken', path, `${quote(name)} is reserved for ${runs}.`, 'Choose another name.')];
}

/** Checks the name and title of a flow, and the names of its steps. */
export const checkFlowNames: FlowCheck = ({ flow, steps, malformedSteps }) => [
  ...checkName('flow', flow.name, 'name'),
  ...(flow.title === undefined ? [] : checkLine('title-too-long', 'The title', flow.title, 'title')),
  ...stepNames({ steps, malformedSteps }).flatMap((name) => checkName('step', name, `steps.${name}`)),
];

/** Checks the names in a step: its outcome, event or replies. Also checks the reasons of the rules of a decide step. */
export const checkStepNames: StepCheck = (step, path) => {
  if (step.kind === 'outcome') return checkOutcome(step.outcome, `${path}.outcome`);
  if (step.kind === 'notify') return checkName('event', step.event, `${path}.event`);
  if (step.kind === 'confirm')
    return (step.options ?? []).flatMap(({ name }, index) => checkName('reply', name, `${path}.options.${index}.name`));
  if (step.kind === 'decide')
    return step.rules.flatMap(({ because }, index) =>
      because === undefined
        ? []
        : checkLine('because-too-long', 'The reason', because, `${path}.rules.${index}.because`),
    );
  return [];
};
