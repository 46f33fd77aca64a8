import { type Arbitrary, array, boolean, constant, constantFrom, integer, nat, oneof, record, tuple } from 'fast-check';
import type { DecideStep, FlowDefinition, Step } from '../../../domain/flows/definition';
import { exitsOf } from '../../../domain/flows/definition';
import { yesNo } from '../../../flows/templates/yes-no';
import { anyMistake, type Mistake } from './any-mistake';

const [hour, day] = [3_600, 86_400];
/** Only an e-mail has a subject. */
const inAll = (channel: string, body: string) => {
  const text = channel === 'email' ? { subject: '{{brand}}', body } : { body };
  return { 'pt-BR': text, en: text, es: text };
};

/** A step without its transitions. */
type Body = Partial<Step> & Pick<Step, 'kind'>;

interface Draft {
  body: Body;
  /** Random numbers for its transitions. */
  targets: readonly number[];
  /** 0: no visit limit. */
  visits: number;
}

const confirmOptions = (lifetimes: readonly number[]) =>
  tuple(
    constantFrom(...lifetimes),
    oneof({ weight: 4, arbitrary: constant(1) }, integer({ min: 2, max: 3 })),
    nat(2),
  ).map(([expiresAfterSeconds, sendLimit, pause]) => ({
    expiresAfterSeconds,
    sendLimit,
    resendAfterSeconds: [1, Math.min(60, expiresAfterSeconds), expiresAfterSeconds][pause] ?? 1,
  }));

const token: Arbitrary<Body> = tuple(
  constantFrom('sms' as const, 'email' as const),
  confirmOptions([5, 60, 300, 600]),
  record({
    attemptLimit: integer({ min: 1, max: 10 }),
    codeDigits: integer({ min: 6, max: 10 }),
    resend: constantFrom('reuse' as const, 'rotate' as const),
  }),
  boolean(),
).map(([channel, confirmation, code, own]) => ({
  kind: 'confirm',
  channel,
  ask: 'token',
  ...confirmation,
  ...code,
  ...(own ? { message: inAll(channel, '{{code}}, for {{minutes}} minutes') } : { template: `${channel}-token` }),
}));

const secondFactor: Arbitrary<Body> = tuple(
  constantFrom('sms' as const, 'email' as const, 'whatsapp' as const),
  confirmOptions([5, 300, hour, day]),
  boolean(),
).map(([channel, confirmation, own]) => ({
  kind: 'confirm',
  channel,
  ask: 'reply',
  ...confirmation,
  ...(own ? { message: inAll(channel, 'Was it you?'), options: yesNo } : { template: `${channel}-2fa` }),
}));

const biometrics: Arbitrary<Body> = record({
  kind: constant('biometrics' as const),
  channels: constantFrom([], ['email' as const], ['sms' as const, 'whatsapp' as const]),
  linkSeconds: constantFrom(hour, day, 7 * day),
  decideWithinSeconds: constantFrom(60, hour, 10 * day),
});

const wait: Arbitrary<Body> = record({
  kind: constant('wait' as const),
  seconds: constantFrom(1, 60, hour, day, 5 * day),
});

const notify: Arbitrary<Body> = record({
  kind: constant('notify' as const),
  event: constantFrom('run.moved', 'step-up.started'),
  giveUpAfterSeconds: constantFrom(1, 60, hour),
});

const conditions = [
  'score < 40.0',
  'score >= 70.0',
  "answers['a'] != ''",
  "visits['a'] > 1",
  "transaction.hasPhone && !('PH001' in insights)",
  "ratings['document-phone'] > 2.0 || transaction.generic.plan == 'gold'",
];
const decide: Arbitrary<Body> = array(constantFrom(...conditions), { minLength: 1, maxLength: 3 }).map((drawn) => ({
  kind: 'decide',
  rules: [...new Set(drawn)].map((when) => ({ when, then: '' })),
}));

const draft: Arbitrary<Draft> = record({
  body: oneof(
    { weight: 4, arbitrary: token },
    { weight: 3, arbitrary: secondFactor },
    { weight: 2, arbitrary: biometrics },
    { weight: 2, arbitrary: wait },
    { weight: 2, arbitrary: notify },
    { weight: 2, arbitrary: decide },
  ),
  targets: array(nat(99), { minLength: 9, maxLength: 9 }),
  visits: constantFrom(0, 0, 1, 2, 3),
});

const outcomes: readonly (readonly [string, Step])[] = [
  ['y', { kind: 'outcome', outcome: 'Refused' }],
  ['z', { kind: 'outcome', outcome: 'Confirmed' }],
];
const nameOf = (index: number) => String.fromCharCode(97 + index);

/**
 * A step with transitions: the first leads to the next step, so that all are reachable; others lead to outcomes or
 * back.
 */
function stepOf({ body, targets, visits }: Draft, index: number, drafts: readonly Draft[]): Step {
  const laterSteps = [...drafts.keys()].slice(index + 1).map(nameOf);
  const back = [...drafts.keys()].slice(0, index + 1).filter((earlier) => (drafts[earlier]?.visits ?? 0) > 0);
  const onward = [...laterSteps, ...outcomes.map(([name]) => name)];
  const draw = (target: number) => {
    const earlier = target % 4 === 0 ? back[target % Math.max(1, back.length)] : undefined;
    return earlier === undefined ? (onward[target % onward.length] ?? 'z') : nameOf(earlier);
  };
  const to = (place: number) => (place === 0 ? (onward[0] ?? 'z') : draw(targets[place] ?? 0));
  const last = targets[8] ?? 0;
  const exhausted = last < 80 ? (outcomes[last % outcomes.length]?.[0] ?? 'z') : draw(last);
  const visited = visits > 0 ? { visits, exhausted } : {};
  if (body.kind === 'wait') return { ...body, then: to(0), ...visited } as Step;
  if (body.kind === 'decide') {
    const rules = (body as Pick<DecideStep, 'rules'>).rules.map(({ when }, place) => ({ when, then: to(place) }));
    return { ...body, rules, else: to(rules.length), ...visited };
  }
  const exits = exitsOf(body as Step, yesNo).map((exit, place) => [exit, to(place)]);
  return { ...body, exits: Object.fromEntries(exits), ...visited } as Step;
}

const flowOf = (drafts: readonly Draft[]): FlowDefinition => {
  const steps = drafts.map((one, index) => [nameOf(index), stepOf(one, index, drafts)] as const);
  const serialized = JSON.stringify(steps);
  const reached = outcomes.filter(([name]) => serialized.includes(`"${name}"`));
  return { name: 'random', version: 1, start: 'a', steps: Object.fromEntries([...steps, ...reached]) };
};

/** Flows of 2 to 12 steps of every kind, with loops; about a third have a typical mistake. */
export const anyFlow: Arbitrary<FlowDefinition> = tuple(
  array(draft, { minLength: 1, maxLength: 10, size: 'max' }),
  oneof({ weight: 7, arbitrary: constant<Mistake>((flow) => flow) }, { weight: 3, arbitrary: anyMistake }),
).map(([drafts, mistake]) => mistake(flowOf(drafts)));
