import type { TransactionInput } from '../../domain/transaction';
import type { Observation } from '../../domain/scoring/observation';

/** What a transaction is assessed by: who it is of and what its caller said. */
export interface Subject {
  tenant: string;
  id: string;
  input: TransactionInput;
  /** ISO 8601. */
  createdAt: string;
}

/** The sighting of a transaction, and those of others that share a value with it. */
export interface Surroundings {
  own: Observation;
  /** At most a bounded number per value, the newest first. Never the own one; each other transaction once. */
  others: Observation[];
}

/** The graph of links: what is kept of every transaction so that later ones are told from it. */
export interface History {
  /**
   * Keeps the sighting of a transaction, once however often it is called, and gives its surroundings: of the own
   * tenant, or, when the tenant shares its history, of all tenants that do. What was within `withinDays` days before and
   * after it is not crowded out by what is further away. Fails when the store is away.
   */
  observe(subject: Subject, scope: 'own' | 'shared', withinDays: number): Promise<Surroundings>;
}
