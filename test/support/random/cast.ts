import { decisionFacts } from '../../../domain/flows/decision-facts';
import type { DecisionFacts } from '../../../domain/flows/facts-of';
import { createConditions } from '../../../platform/conditions/conditions';
import type { MessageToDeliver } from '../../../workflows/ports';
import { person as complete } from '../build';
import type { FakeActivities, Fate } from '../fake-activities';
import type { TestTransaction, World } from '../world';
import type { Person } from './any-person';

/** Away for good only where that is soon over: each try is one more for the server to count. */
const outagesInLongLife = 5;
const longLifeMs = 900_000;

const { evaluate } = createConditions(decisionFacts);

/** The persons of a world by transaction: what their providers and callers do, and what is found on them. */
export class Cast {
  readonly #persons = new Map<string, Person>();
  readonly #tries = new Map<string, number>();

  constructor(private readonly world: World) {
    const { activities }: { activities: FakeActivities } = world;
    activities.fateOf = (message) => this.#fateOf(message);
    activities.noticeFateOf = ({ transactionId }) => {
      const { notices = [] } = this.#persons.get(transactionId) ?? {};
      return notices[this.#next(`notices of ${transactionId}`) % notices.length];
    };
    activities.rule = (facts, conditions) => {
      const rule = conditions.findIndex((condition) => evaluate(condition, scored(facts)));
      return rule === -1 ? null : rule;
    };
  }

  /** The transaction of a person. */
  async enter(person: Person): Promise<TestTransaction> {
    const { phone, email, ...others } = complete;
    const transaction = await this.world.transaction({
      ...others,
      phone: person.hasPhone ? phone : undefined,
      email: person.hasEmail ? email : undefined,
      genericFields: { score: String(person.score), plan: person.plan },
    } as typeof complete);
    this.#persons.set(transaction.id, person);
    return transaction;
  }

  #fateOf({ transactionId, sendId, expiresAt }: MessageToDeliver): Fate | undefined {
    const { fates = [] } = this.#persons.get(transactionId) ?? {};
    const fate = fates[this.#next(transactionId) % fates.length];
    if (fate !== 'outage') return fate;
    const long = Date.parse(expiresAt) - Date.now() > longLifeMs;
    return long && this.#next(sendId) >= outagesInLongLife ? 'accept' : fate;
  }

  #next(counted: string): number {
    const tries = this.#tries.get(counted) ?? 0;
    this.#tries.set(counted, tries + 1);
    return tries;
  }
}

/** Every person scores as they are drawn. */
const scored = (facts: DecisionFacts): DecisionFacts => ({
  ...facts,
  score: Number(facts.transaction.generic['score']),
});
