import type { TransactionInput } from '../../domain/transaction';
import type { Observation } from '../../domain/scoring/observation';

/** The transaction to assess: its owner and its input. */
export interface Subject {
  tenant: string;
  id: string;
  input: TransactionInput;
  /** ISO 8601. */
  createdAt: string;
}

/** The observation of a transaction, and those of others that share a value with it. */
export interface Surroundings {
  own: Observation;
  /** A limited number per value, newest first. Never the own transaction; each other transaction once. */
  others: Observation[];
}

/** The graph of links: an observation of every transaction, to compare later ones with. */
export interface History {
  /**
   * Saves the observation of a transaction (repeats change nothing) and returns its surroundings: of its tenant, or, if the tenant
   * shares its history, of all tenants that do. Observations within `withinDays` days before and after it have their own limit, so
   * that others do not displace them. Fails if the database is unavailable.
   */
  observe(subject: Subject, scope: 'own' | 'shared', withinDays: number): Promise<Surroundings>;
}
