import { type Arbitrary, array, boolean, constant, constantFrom, integer, nat, oneof, record, tuple } from 'fast-check';
import type { DecideStep, FlowDefinition, Step } from '../../../domain/flows/definition';
import { exitsOf } from '../../../domain/flows/definition';
import { yesNoReplies } from '../../../flows/templates/yes-no';
import { anyMistake, type Mistake } from './any-mistake';

const [hour, day] = [3_600, 86_400];
/** Only an e-mail has a subject. */
const inAllLanguages = (channel: string, body: string) => {
  const text = channel === 'email' ? { subject: '{{brand}}', body } : { body };
  return { 'pt-BR': text, en: text, es: text };
};

type StepWithoutExits = Partial<Step> & Pick<Step, 'kind'>;

/** A step, and the random numbers that choose its transitions. */
interface Draft {
  step: StepWithoutExits;
  /** One random number for each transition. */
  targets: readonly number[];
  /** The visit limit. 0: no limit. */
  visits: number;
}

/** `lifetimes`: the lifetimes to choose from, in seconds. */
const anyConfirmFields = (lifetimes: readonly number[]) =>
  tuple(
    constantFrom(...lifetimes),
    oneof({ weight: 4, arbitrary: constant(1) }, integer({ min: 2, max: 3 })),
    nat(2),
    constantFrom(undefined, 5, 20),
  ).map(([expiresAfterSeconds, sendLimit, pauseIndex, deliverWithinSeconds]) => ({
    expiresAfterSeconds,
    ...(deliverWithinSeconds !== undefined && expiresAfterSeconds > deliverWithinSeconds && { deliverWithinSeconds }),
    sendLimit,
    resendAfterSeconds: [1, Math.min(60, expiresAfterSeconds), expiresAfterSeconds][pauseIndex] ?? 1,
  }));

/** No provider reports whether an e-mail arrived. */
const forChannel = <Fields extends { deliverWithinSeconds?: number }>(channel: string, fields: Fields) => {
  const { deliverWithinSeconds: _, ...others } = fields;
  return channel === 'email' ? others : fields;
};

const anyTokenStep: Arbitrary<StepWithoutExits> = tuple(
  constantFrom('sms' as const, 'email' as const),
  anyConfirmFields([5, 60, 300, 600]),
  record({
    attemptLimit: integer({ min: 1, max: 10 }),
    codeDigits: integer({ min: 6, max: 10 }),
    resend: constantFrom('reuse' as const, 'rotate' as const),
  }),
  boolean(),
).map(([channel, confirmation, code, hasOwnMessage]) => ({
  kind: 'confirm',
  channel,
  ask: 'token',
  ...forChannel(channel, confirmation),
  ...code,
  ...(hasOwnMessage
    ? { message: inAllLanguages(channel, '{{code}}, for {{minutes}} minutes') }
    : { template: `${channel}-token` }),
}));

const anySecondFactorStep: Arbitrary<StepWithoutExits> = tuple(
  constantFrom('sms' as const, 'email' as const, 'whatsapp' as const),
  anyConfirmFields([5, 300, hour, day]),
  boolean(),
).map(([channel, confirmation, hasOwnMessage]) => ({
  kind: 'confirm',
  channel,
  ask: 'reply',
  ...forChannel(channel, confirmation),
  ...(hasOwnMessage
    ? { message: inAllLanguages(channel, 'Was it you?'), options: yesNoReplies }
    : { template: `${channel}-2fa` }),
}));

const anyBiometricsStep: Arbitrary<StepWithoutExits> = record({
  kind: constant('biometrics' as const),
  channels: constantFrom([], ['email' as const], ['sms' as const, 'whatsapp' as const]),
  linkSeconds: constantFrom(hour, day, 7 * day),
  decideWithinSeconds: constantFrom(60, hour, 10 * day),
});

const anyWaitStep: Arbitrary<StepWithoutExits> = record({
  kind: constant('wait' as const),
  seconds: constantFrom(1, 60, hour, day, 5 * day),
});

const anyNotifyStep: Arbitrary<StepWithoutExits> = record({
  kind: constant('notify' as const),
  event: constantFrom('run.moved', 'step-up.started'),
  giveUpAfterSeconds: constantFrom(1, 60, hour),
});

const conditions = [
  'score < 40.0',
  'score >= 70.0',
  "exits['a'] != ''",
  "visits['a'] > 1",
  "transaction.hasPhone && !('PH001' in insights)",
  "ratings['document-phone'] > 2.0 || transaction.generic.plan == 'gold'",
];
const anyDecideStep: Arbitrary<StepWithoutExits> = array(constantFrom(...conditions), {
  minLength: 1,
  maxLength: 3,
}).map((selected) => ({
  kind: 'decide',
  rules: [...new Set(selected)].map((when) => ({ when, then: '' })),
}));

const anyDraft: Arbitrary<Draft> = record({
  step: oneof(
    { weight: 4, arbitrary: anyTokenStep },
    { weight: 3, arbitrary: anySecondFactorStep },
    { weight: 2, arbitrary: anyBiometricsStep },
    { weight: 2, arbitrary: anyWaitStep },
    { weight: 2, arbitrary: anyNotifyStep },
    { weight: 2, arbitrary: anyDecideStep },
  ),
  targets: array(nat(99), { minLength: 9, maxLength: 9 }),
  visits: constantFrom(0, 0, 1, 2, 3),
});

const outcomes: readonly (readonly [string, Step])[] = [
  ['y', { kind: 'outcome', outcome: 'Refused' }],
  ['z', { kind: 'outcome', outcome: 'Confirmed' }],
];
/** The name of a step: `a`, `b` and so on. */
const nameOf = (index: number) => String.fromCharCode(97 + index);

/**
 * The first transition leads to the next step, so that every step is reachable. The others lead to later steps, to outcomes, or back to the
 * same or an earlier step.
 */
function stepOf({ step, targets, visits }: Draft, index: number, drafts: readonly Draft[]): Step {
  const laterSteps = [...drafts.keys()].slice(index + 1).map(nameOf);
  const earlierSteps = [...drafts.keys()].slice(0, index + 1).filter((earlier) => (drafts[earlier]?.visits ?? 0) > 0);
  const laterTargets = [...laterSteps, ...outcomes.map(([name]) => name)];
  const pickTarget = (target: number) => {
    const earlier = target % 4 === 0 ? earlierSteps[target % Math.max(1, earlierSteps.length)] : undefined;
    return earlier === undefined ? (laterTargets[target % laterTargets.length] ?? 'z') : nameOf(earlier);
  };
  const targetOf = (exitIndex: number) =>
    exitIndex === 0 ? (laterTargets[0] ?? 'z') : pickTarget(targets[exitIndex] ?? 0);
  const lastTarget = targets[8] ?? 0;
  const exhausted = lastTarget < 80 ? (outcomes[lastTarget % outcomes.length]?.[0] ?? 'z') : pickTarget(lastTarget);
  const visitLimit = visits > 0 ? { visits, exhausted } : {};
  if (step.kind === 'wait') return { ...step, then: targetOf(0), ...visitLimit } as Step;
  if (step.kind === 'decide') {
    const rules = (step as Pick<DecideStep, 'rules'>).rules.map(({ when }, place) => ({ when, then: targetOf(place) }));
    return { ...step, rules, else: targetOf(rules.length), ...visitLimit };
  }
  const exits = exitsOf(step as Step, yesNoReplies).map((exit, place) => [exit, targetOf(place)]);
  return { ...step, exits: Object.fromEntries(exits), ...visitLimit } as Step;
}

const flowOf = (drafts: readonly Draft[]): FlowDefinition => {
  const steps = drafts.map((one, index) => [nameOf(index), stepOf(one, index, drafts)] as const);
  const serialized = JSON.stringify(steps);
  const usedOutcomes = outcomes.filter(([name]) => serialized.includes(`"${name}"`));
  return { name: 'random', version: 1, start: 'a', steps: Object.fromEntries([...steps, ...usedOutcomes]) };
};

/** Random flows of 2 to 12 steps, with loops. About a third of them have a typical mistake. */
export const anyFlow: Arbitrary<FlowDefinition> = tuple(
  array(anyDraft, { minLength: 1, maxLength: 10, size: 'max' }),
  oneof({ weight: 7, arbitrary: constant<Mistake>((flow) => flow) }, { weight: 3, arbitrary: anyMistake }),
).map(([drafts, mistake]) => mistake(flowOf(drafts)));
