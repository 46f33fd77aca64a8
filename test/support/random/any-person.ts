import { type Arbitrary, array, boolean, constant, constantFrom, integer, oneof, record } from 'fast-check';
import type { DeliveryResult, WebhookResult } from '../fake-activities';

/** simulate-person.ts says what each action does in each kind of step. */
const actions = [
  'ignores',
  'confirms',
  'denies',
  'answersWrong',
  'alwaysAnswersWrong',
  'requestsAgain',
  'erases',
] as const;

export interface PersonAction {
  kind: (typeof actions)[number];
  /** The wait before the action, as a share of the time that is left in the step: 0 is at once, 1 is at the deadline. */
  delayShare: number;
}

/** Also defines how the providers and the caller behave for this person. After the last entry of a list, its first follows. */
export interface SimulatedPerson {
  actions: readonly PersonAction[];
  deliveryResults: readonly DeliveryResult[];
  webhookResults: readonly WebhookResult[];
  score: number;
  /** A generic field that conditions of random flows read. */
  plan: string;
  hasPhone: boolean;
  hasEmail: boolean;
}

/** Chooses `usual` in five of seven cases. */
const mostly = <T>(usual: T, ...others: T[]): Arbitrary<T> =>
  oneof({ weight: 5, arbitrary: constant(usual) }, { weight: 2, arbitrary: constantFrom(...others) });
const listOf = <T>(one: Arbitrary<T>) => array(one, { minLength: 1, maxLength: 6 });

export const anyPerson: Arbitrary<SimulatedPerson> = record({
  actions: listOf(
    record({
      kind: constantFrom(...actions, 'confirms', 'requestsAgain'),
      delayShare: oneof(
        constantFrom(0, 0.97),
        integer({ min: 0, max: 100 }).map((percent) => percent / 100),
      ),
    }),
  ),
  deliveryResults: listOf(mostly<DeliveryResult>('accept', 'outage', 'DestinationRefused')),
  webhookResults: listOf(mostly<WebhookResult>('accept', 'outage', 'Parked')),
  score: integer({ min: 0, max: 100 }),
  plan: constantFrom('gold', 'plain'),
  hasPhone: oneof({ weight: 9, arbitrary: constant(true) }, boolean()),
  hasEmail: oneof({ weight: 9, arbitrary: constant(true) }, boolean()),
});
