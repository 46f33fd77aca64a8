import { findPersonalData } from './find-personal-data';
import { type Checking, type StepCheck, stepNames } from '../checking';
import { bureauCode } from '../../scoring/bureau-code';
import { catalogue } from '../../scoring/catalogue';
import { ratingKeys } from '../decision-facts';
import { fault, type FlowFault } from '../flow-fault';
import { flowLimits } from '../flow-limits';
import { offerNames } from '../../closest-match';
import { neededExits } from './check-ways';

export const checkRules: StepCheck = (step, path, checking) => {
  if (step.kind !== 'decide') return [];
  const { rules } = step;
  const at = `${path}.rules`;
  if (rules.length === 0)
    return [
      fault('rules-missing', at, 'There is nothing to decide by.', 'Give at least one rule, or lead past the step.'),
    ];
  if (rules.length > flowLimits.rules)
    return [
      fault(
        'too-many-rules',
        at,
        `There are ${rules.length} rules.`,
        `Keep to ${flowLimits.rules}, or decide in two steps.`,
      ),
    ];
  return rules.flatMap(({ when }, index) => {
    const first = rules.findIndex((rule) => rule.when.trim() === when.trim());
    if (first < index)
      return fault(
        'rule-twice',
        `${at}.${index}.when`,
        `Rule ${first + 1} has the same condition, and comes first.`,
        'Take one of them out.',
      );
    return checkWhen(when, `${at}.${index}.when`, checking);
  });
};

function checkWhen(when: string, path: string, checking: Checking): FlowFault[] {
  if (when.trim() === '')
    return [fault('condition-empty', path, 'The condition is empty.', 'Write one, such as score < 40.')];
  if (when.length > flowLimits.condition)
    return [
      fault(
        'condition-too-long',
        path,
        `The condition has ${when.length} characters.`,
        `Keep it to ${flowLimits.condition}; two rules may lead to one step.`,
      ),
    ];
  const wrong = checking.checkCondition?.(when);
  return [
    ...(wrong === undefined ? [] : [fault('condition-wrong', path, wrong.message, wrong.mend)]),
    // Without words of its own, a condition is told as the reason.
    ...findPersonalData(when, path),
    ...checkMentions(when, path, checking),
    ...checkInsights(when, path),
  ];
}

/**
 * answers['code'] or answers.code, and what follows: a comparison with a text, if there is one. Not a method, and not a key
 * with a hyphen: what is wrong with these is told of the condition.
 */
const mention =
  /\b(answers|visits|ratings)(?:\.([A-Za-z_]\w{0,99})\b(?! *\(|-[A-Za-z_]\w*\b(?![.([]))|\[ *(?:'([^']{0,100})'|"([^"]{0,100})") *\])(?: *[!=]= *(?:'([^']{0,100})'|"([^"]{0,100})"))?/g;

function checkMentions(when: string, path: string, checking: Checking): FlowFault[] {
  const faults = [...when.matchAll(mention)].flatMap(([, fact, dotted, single, double, singleText, doubleText]) => {
    const name = dotted ?? single ?? double ?? '';
    if (fact === 'ratings') return ratingKeys.includes(name) ? [] : noRating(name, path);
    const step = checking.steps.get(name);
    if (checking.unread.has(name)) return [];
    if (!step)
      return fault(
        'condition-names-no-step',
        path,
        `The condition speaks of ${fact}['${name}'], and there is no such step.`,
        offerNames('Name one of the steps:', name, stepNames(checking)),
      );
    const exits = 'exits' in step ? neededExits(step, checking) : undefined;
    const exit = singleText ?? doubleText ?? '';
    if (fact === 'visits' || !exits || exit === '' || exits.includes(exit)) return [];
    return fault(
      'condition-names-no-exit',
      path,
      `The condition compares ${fact}['${name}'] with ${exit}, which is no exit of that step.`,
      offerNames('Name one of its exits:', exit, exits),
    );
  });
  // What a condition says twice is told once.
  return [...new Map(faults.map((found) => [found.message, found])).values()];
}

/** 'PH001' in insights. Which codes a bureau outside has, only the bureau knows. */
const insightAsked = /(?:'([^']{0,100})'|"([^"]{0,100})") +in +insights\b/g;
const insightCodes: ReadonlySet<string> = new Set(catalogue.map(({ code }) => code));

function checkInsights(when: string, path: string): FlowFault[] {
  const asked = [...when.matchAll(insightAsked)].map(([, single, double]) => single ?? double ?? '');
  const unknown = new Set(asked.filter((code) => !insightCodes.has(code) && !bureauCode.test(code)));
  return [...unknown].map((code) =>
    fault(
      'condition-names-no-insight',
      path,
      `The condition looks for the insight ${code}, and there is none with this code.`,
      'Name a code of docs/scoring.md, such as PH001; those of bureaus are X, a letter and three digits.',
    ),
  );
}

function noRating(name: string, path: string): FlowFault {
  return fault(
    'condition-names-no-rating',
    path,
    `The condition speaks of ratings['${name}'], and there is no such pair.`,
    offerNames('Name one of the pairs:', name, ratingKeys),
  );
}
