import type { TransactionInput } from '../../domain/transaction/transaction';
import type { Observation } from '../../domain/scoring/evidence';

/** The transaction to assess: its tenant, its id and its input. */
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
   * Saves the observation of a transaction. Returns this observation, and the observations that share a value with it. A repeated call
   * changes nothing. `observedTenants`: `own` reads only observations of the transaction's tenant. `shared` reads the observations of all
   * tenants that share their history. The number of returned observations is limited. Observations within `withinDays` days before and
   * after the transaction have their own limit, so that later observations do not displace them. Fails if the database is unavailable.
   */
  addAndFindRelated(
    transaction: AssessedTransaction,
    observedTenants: 'own' | 'shared',
    withinDays: number,
  ): Promise<LinkedObservations>;
}
