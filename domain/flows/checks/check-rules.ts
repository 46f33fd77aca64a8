import {
  type CheckContext,
  createIssue,
  findPersonalData,
  type FlowCheck,
  type FlowIssue,
  type FlowIssueCode,
  type StepCheck,
  stepNames,
} from '../flow-issue';
import { bureauCodePattern } from '../../scoring/policy';
import { catalogue } from '../../scoring/score';
import { ratingKeys } from '../decision-facts';
import { flowLimits } from '../bounds';
import { quote, suggestNames } from '../../text';
import { requiredExits } from './check-ways';
import { namePatterns } from '../definition';
import { notDecided, type RunStatus } from '../run';

/** Checks the rules of a decide step. */
export const checkRules: StepCheck = (step, path, context) => {
  if (step.kind !== 'decide') return [];
  const { rules } = step;
  const rulesPath = `${path}.rules`;
  if (rules.length === 0)
    return [
      createIssue('rules-missing', rulesPath, 'The step has no rules.', 'Add at least one rule, or remove the step.'),
    ];
  if (rules.length > flowLimits.rules)
    return [
      createIssue(
        'too-many-rules',
        rulesPath,
        `The step has ${rules.length} rules.`,
        `Use at most ${flowLimits.rules} rules, or decide in two steps.`,
      ),
    ];
  return rules.flatMap(({ when }, index) => {
    const firstIndex = rules.findIndex((rule) => rule.when.trim() === when.trim());
    if (firstIndex < index)
      return createIssue(
        'rule-twice',
        `${rulesPath}.${index}.when`,
        `${quote(`rules.${firstIndex}`)} has the same condition, so this rule is never used.`,
        'Remove one of the two rules.',
      );
    return checkWhen(when, `${rulesPath}.${index}.when`, context);
  });
};

function checkWhen(when: string, path: string, context: CheckContext): FlowIssue[] {
  if (when.trim() === '')
    return [
      createIssue('condition-empty', path, 'The condition is empty.', 'Write a condition, such as `score < 40`.'),
    ];
  if (when.length > flowLimits.conditionCharacters)
    return [
      createIssue(
        'condition-too-long',
        path,
        `The condition has ${when.length} characters.`,
        `Use at most ${flowLimits.conditionCharacters} characters. If the condition has \`||\`, write one rule for each side. Give these rules the same next step.`,
      ),
    ];
  const conditionIssue = context.checkCondition?.(when);
  return [
    ...(conditionIssue === undefined
      ? []
      : [createIssue('condition-wrong', path, conditionIssue.message, conditionIssue.fix)]),
    // If `because` is absent, operators and callers see the condition, so it must have no personal data.
    ...findPersonalData(when, path),
    ...checkFactNames(when, path, context),
    ...checkInsights(when, path),
  ];
}

/**
 * Matches a fact such as exits['code'] or exits.code, and the text with which the condition compares it. Method calls and names with
 * a hyphen after a dot (`exits.ask-by-sms`) do not match, because `checkCondition` reports them.
 */
const factPattern =
  /\b(exits|visits|ratings)(?:\.([A-Za-z_]\w{0,99})\b(?! *\(|-[A-Za-z_]\w*\b(?![.([]))|\[ *(?:'([^']{0,100})'|"([^"]{0,100})") *\])(?: *[!=]= *(?:'([^']{0,100})'|"([^"]{0,100})"))?/g;

function checkFactNames(when: string, path: string, context: CheckContext): FlowIssue[] {
  const issues = [...when.matchAll(factPattern)].flatMap(([, fact, dotted, single, double, singleText, doubleText]) => {
    const name = dotted ?? single ?? double ?? '';
    if (fact === 'ratings') return ratingKeys.includes(name) ? [] : createUnknownRatingIssue(name, path);
    const step = context.steps.get(name);
    if (context.malformedSteps.has(name)) return [];
    if (!step)
      return createIssue(
        'condition-names-no-step',
        path,
        `The condition uses ${quote(`${fact}['${name}']`)}, but there is no such step.`,
        suggestNames('Use one of the steps:', name, stepNames(context)),
      );
    const exits = 'exits' in step ? requiredExits(step, context) : undefined;
    const exit = singleText ?? doubleText ?? '';
    if (fact === 'visits' || !exits || exit === '' || exits.includes(exit)) return [];
    return createIssue(
      'condition-names-no-exit',
      path,
      `The condition compares ${quote(`${fact}['${name}']`)} with ${quote(exit)}, which is not an exit of that step.`,
      suggestNames('Use one of its exits:', exit, exits),
    );
  });
  // The same issue of a condition is reported only once.
  return [...new Map(issues.map((found) => [found.message, found])).values()];
}

/** Matches the code of an insight in a condition, such as `'PH001' in insights`. */
const insightPattern = /(?:'([^']{0,100})'|"([^"]{0,100})") +in +insights\b/g;
const insightCodes: ReadonlySet<string> = new Set(catalogue.map(({ code }) => code));

function checkInsights(when: string, path: string): FlowIssue[] {
  const usedCodes = [...when.matchAll(insightPattern)].map(([, single, double]) => single ?? double ?? '');
  const unknownCodes = new Set(usedCodes.filter((code) => !insightCodes.has(code) && !bureauCodePattern.test(code)));
  return [...unknownCodes].map((code) =>
    createIssue(
      'condition-names-no-insight',
      path,
      `The condition uses the insight ${quote(code)}, which does not exist.`,
      'Use a code of docs/scoring.md, such as `PH001`. A code of a bureau is `X`, then any letter, then three digits, such as `XB001`.',
    ),
  );
}

function createUnknownRatingIssue(name: string, path: string): FlowIssue {
  return createIssue(
    'condition-names-no-rating',
    path,
    `The condition uses ${quote(`ratings['${name}']`)}, but there is no such pair.`,
    suggestNames('Use one of the pairs:', name, ratingKeys),
  );
}

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
