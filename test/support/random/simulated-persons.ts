import { type DecisionFacts, decisionFacts } from '../../../domain/flows/decision-facts';
import { createConditions } from '../../../platform/conditions/conditions';
import type { MessageToDeliver } from '../../../workflows/contract/activities';
import { person as completePerson } from '../build';
import type { FakeActivities, DeliveryResult } from '../fake-activities';
import type { TestTransaction, World } from '../world';
import type { SimulatedPerson } from './any-person';

/**
 * The most outages for a message with a long lifetime. Each pause before a retry is longer than the previous pause, so with more outages,
 * the message could expire before it is sent.
 */
const maxOutages = 5;
/** A lifetime longer than this is long. */
const longExpiryMs = 900_000;

const { evaluate } = createConditions(decisionFacts);

/** Each person has one transaction. For this transaction, the fake activities return the results and the score of the person. */
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

  /** The number of earlier calls with this key. */
  #nextIndex(key: string): number {
    const count = this.#counts.get(key) ?? 0;
    this.#counts.set(key, count + 1);
    return count;
  }
}

/** The facts with the score of the simulated person. */
const withScore = (facts: DecisionFacts): DecisionFacts => ({
  ...facts,
  score: Number(facts.transaction.generic['score']),
});
