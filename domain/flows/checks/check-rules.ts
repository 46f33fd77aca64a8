import { findPersonalData } from './find-personal-data';
import { type CheckContext, type StepCheck, stepNames } from '../check-context';
import { bureauCodePattern } from '../../scoring/bureau-code-pattern';
import { catalogue } from '../../scoring/catalogue';
import { ratingKeys } from '../decision-facts';
import { createIssue, type FlowIssue } from '../flow-issue';
import { flowLimits } from '../flow-limits';
import { quote, suggestNames } from '../../quote';
import { requiredExits } from './check-exits';

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
