import { type Arbitrary, constantFrom, nat, tuple } from 'fast-check';
import type { FlowDefinition, Step } from '../../../domain/flows/definition';

/** Makes a flow invalid, if it has a matching step. */
export type Mistake = (flow: FlowDefinition) => FlowDefinition;

type AnyStep = Record<string, unknown> & { kind: Step['kind'] };
/** The changed fields of a step. Undefined removes a field. */
type StepMistake = (step: AnyStep) => Record<string, unknown>;

/** Mistakes by kind of step. `any`: for every kind except outcomes. */
const mistakes: Readonly<Partial<Record<Step['kind'] | 'any', readonly StepMistake[]>>> = {
  any: [
    () => ({ visits: 6, exhausted: 'z' }),
    () => ({ visits: 2, exhausted: undefined }),
    () => ({ visits: undefined, exhausted: 'z' }),
    () => ({ visits: 2, exhausted: 'a' }),
  ],
  confirm: [
    ({ exits }) => ({ exits: Object.fromEntries(Object.entries(exits as object).slice(1)) }),
    ({ exits }) => ({ exits: { ...(exits as object), Expired: 'a', Failed: 'a' } }),
    ({ exits }) => ({ exits: { ...(exits as object), Maybe: 'z' } }),
    () => ({ template: 'no-such-text' }),
    () => ({ channel: 'whatsapp', template: 'email-token' }),
    () => ({ expiresAfterSeconds: 86_401 }),
    () => ({ sendLimit: 6 }),
    () => ({ sendLimit: 5, visits: 5, exhausted: 'z' }),
    () => ({ resendAfterSeconds: 0 }),
    () => ({ codeDigits: 4 }),
    () => ({ resend: undefined }),
  ],
  biometrics: [
    () => ({ channels: ['sms', 'sms'] }),
    () => ({ linkSeconds: 60 }),
    () => ({ decideWithinSeconds: 31 * 86_400 }),
    ({ exits }) => ({ exits: { ...(exits as object), Canceled: 'a' } }),
  ],
  wait: [
    () => ({ seconds: 0 }),
    () => ({ seconds: 2_592_000, visits: 5, exhausted: 'z' }),
    () => ({ then: 'nowhere' }),
  ],
  notify: [
    () => ({ event: 'Told Maria' }),
    () => ({ giveUpAfterSeconds: 0.5 }),
    () => ({ exits: { Delivered: 'a', Failed: 'a' } }),
  ],
  decide: [
    () => ({ rules: [] }),
    () => ({ rules: [{ when: 'scor < 40', then: 'z' }] }),
    () => ({ rules: [{ when: "exits['nobody'] == 'Valid'", then: 'z' }] }),
    () => ({ rules: [{ when: 'score + 1.0', then: 'z' }] }),
    () => ({ else: 'a' }),
  ],
  outcome: [() => ({ outcome: 'confirmed' }), () => ({ outcome: 'Told5511987654321' })],
};

/**
 * Mostly a mistake for one kind of step, often for any kind, seldom an unknown start. In random flows, `a` is the first step and `z` is an
 * outcome.
 */
export const anyMistake: Arbitrary<Mistake> = tuple(nat(99), nat(99), constantFrom('kind', 'kind', 'any', 'start')).map(
  ([stepIndex, mistakeIndex, category]) =>
    (flow) => {
      if (category === 'start' && mistakeIndex < 30) return { ...flow, start: 'nowhere' };
      const names = Object.keys(flow.steps);
      const name = names[stepIndex % names.length] ?? '';
      const step = flow.steps[name] as unknown as AnyStep;
      const candidates = mistakes[category === 'any' && step.kind !== 'outcome' ? 'any' : step.kind] ?? [];
      const changedStep = { ...step, ...candidates[mistakeIndex % candidates.length]?.(step) };
      return { ...flow, steps: { ...flow.steps, [name]: changedStep as unknown as Step } };
    },
);
