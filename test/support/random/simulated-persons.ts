import { decisionFacts } from '../../../domain/flows/decision-facts';
import type { DecisionFacts } from '../../../domain/flows/decision-facts-of';
import { createConditions } from '../../../platform/conditions/conditions';
import type { MessageToDeliver } from '../../../workflows/ports';
import { person as completePerson } from '../build';
import type { FakeActivities, DeliveryResult } from '../fake-activities';
import type { TestTransaction, World } from '../world';
import type { SimulatedPerson } from './any-person';

/** The most outages of one message with a long lifetime. Every retry skips more time on the server. */
const maxOutages = 5;
/** A message with more than this lifetime has a long lifetime. */
const longExpiryMs = 900_000;

const { evaluate } = createConditions(decisionFacts);

/** The persons of a test by transaction: the results of their providers and callers, and their scores. */
export class SimulatedPersons {
  readonly #persons = new Map<string, SimulatedPerson>();
  readonly #counts = new Map<string, number>();

  constructor(private readonly world: World) {
    const { activities }: { activities: FakeActivities } = world;
    activities.deliveryResultFor = (message) => this.#deliveryResultOf(message);
    activities.webhookResultFor = ({ transactionId }) => {
      const { webhookResults = [] } = this.#persons.get(transactionId) ?? {};
      return webhookResults[this.#nextIndex(`events of ${transactionId}`) % webhookResults.length];
    };
    activities.findMatchingRule = (facts, conditions) => {
      const rule = conditions.findIndex((condition) => evaluate(condition, withScore(facts)));
      return rule === -1 ? null : rule;
    };
  }

  /** Creates the transaction of a person. */
  async createTransaction(person: SimulatedPerson): Promise<TestTransaction> {
    const { phone, email, ...others } = completePerson;
    const transaction = await this.world.createTransaction({
      ...others,
      phone: person.hasPhone ? phone : undefined,
      email: person.hasEmail ? email : undefined,
      genericFields: { score: String(person.score), plan: person.plan },
    } as typeof completePerson);
    this.#persons.set(transaction.id, person);
    return transaction;
  }

  #deliveryResultOf({ transactionId, sendId, expiresAt }: MessageToDeliver): DeliveryResult | undefined {
    const { deliveryResults = [] } = this.#persons.get(transactionId) ?? {};
    const result = deliveryResults[this.#nextIndex(transactionId) % deliveryResults.length];
    if (result !== 'outage') return result;
    const isLong = Date.parse(expiresAt) - Date.now() > longExpiryMs;
    return isLong && this.#nextIndex(sendId) >= maxOutages ? 'accept' : result;
  }

  #nextIndex(key: string): number {
    const count = this.#counts.get(key) ?? 0;
    this.#counts.set(key, count + 1);
    return count;
  }
}

/** Every person has the score of their test data. */
const withScore = (facts: DecisionFacts): DecisionFacts => ({
  ...facts,
  score: Number(facts.transaction.generic['score']),
});
