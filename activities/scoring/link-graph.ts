import type { TransactionInput } from '../../domain/transaction';
import type { Observation } from '../../domain/scoring/observation';

/** The transaction to assess: its owner and its input. */
export interface AssessedTransaction {
  tenant: string;
  id: string;
  input: TransactionInput;
  /** ISO 8601. */
  createdAt: string;
}

/** The observation of a transaction, and the observations of other transactions that share a value with it. */
export interface LinkedObservations {
  own: Observation;
  /** One observation for each other transaction, newest first. The number of observations per shared value is limited. */
  others: Observation[];
}

/** The link graph: one observation per transaction. Later transactions are compared with it. */
export interface LinkGraph {
  /**
   * Saves the observation of a transaction. Returns this observation, and the observations that share a value with it. A repeat changes
   * nothing. `observedTenants`: `own` reads observations of this tenant only. `shared` reads the observations of all tenants that share
   * their history. Observations within `withinDays` days before and after the transaction have a separate limit, so that later observations
   * do not displace them. Fails if the database is unavailable.
   */
  addAndFindRelated(
    transaction: AssessedTransaction,
    observedTenants: 'own' | 'shared',
    withinDays: number,
  ): Promise<LinkedObservations>;
}
