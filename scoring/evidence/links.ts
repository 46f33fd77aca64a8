import {
  type Links,
  type Observation,
  type ObservedKind,
  observedKinds,
  type PairLink,
  type ValueCounts,
} from '../../domain/scoring/evidence';
import type { TransactionInput } from '../../domain/transactions/input';

const dayMs = 86_400_000;

/** The kinds of data whose shared values are counted. Many people share a name or a postal code, so these two are not in the list. */
const identifyingKinds = [
  'Document',
  'Phone',
  'Email',
  'Card',
  'Session',
  'Identifier',
] as const satisfies ObservedKind[];

const dateOf = ({ at }: Observation) => new Date(at).toISOString().slice(0, 10);

/** Whether `observation` and `subject` have the same value of `dataKind`. `subject` must have a value of this kind. */
const sharesValue = (observation: Observation, subject: Observation, dataKind: ObservedKind) =>
  observation.values[dataKind] === subject.values[dataKind];

/** Whether the person of an observation has confirmed a pair. For example, a confirmed phone confirms the pair of document and phone. */
function confirms({ confirmed }: Observation, [left, right]: PairLink['pair']): boolean {
  if (left === 'Document' && right === 'Phone') return confirmed.phone;
  if (left === 'Document' && right === 'Email') return confirmed.email;
  return left === 'Phone' && right === 'Email' && confirmed.phone && confirmed.email;
}

/**
 * Finds how often two values of `subject`, such as its document and its phone, occur together in other transactions. Returns an empty list
 * if they never do.
 */
function findPair(subject: Observation, others: readonly Observation[], pair: PairLink['pair']): PairLink[] {
  const [left, right] = pair;
  const withEitherValue = others.filter(
    (one) =>
      one.values[left] !== undefined &&
      one.values[right] !== undefined &&
      (sharesValue(one, subject, left) || sharesValue(one, subject, right)),
  );
  const withBothValues = withEitherValue.filter(
    (one) => sharesValue(one, subject, left) && sharesValue(one, subject, right),
  );
  const dates = [...new Set(withBothValues.map(dateOf))].toSorted();
  const [firstDate, lastDate] = [dates[0], dates.at(-1)];
  if (firstDate === undefined || lastDate === undefined) return [];
  return [
    {
      pair,
      times: withBothValues.length,
      dates: dates.filter((date) => date !== dateOf(subject)).length,
      firstDate,
      lastDate,
      overlap: withBothValues.length / withEitherValue.length,
      confirmed: withBothValues.filter((one) => confirms(one, pair)).length,
    },
  ];
}

function countDistinct(observations: readonly Observation[], dataKind: ObservedKind): number {
  return new Set(observations.flatMap(({ values }) => values[dataKind] ?? [])).size;
}

/**
 * Counts the transactions that have the same value of `dataKind` as `subject`, such as the same phone. Also counts how many different
 * documents and other values these transactions have.
 */
function countSharedValues(
  subject: Observation,
  others: readonly Observation[],
  dataKind: ObservedKind,
  withinDays: number,
): ValueCounts {
  const withSameValue = others.filter((one) => sharesValue(one, subject, dataKind));
  const isNear = ({ at }: Observation) => Math.abs(Date.parse(at) - Date.parse(subject.at)) <= withinDays * dayMs;
  const inWindow = [subject, ...withSameValue.filter(isNear)];
  const denials = withSameValue.filter(({ denied }) => denied).length;
  const transactions = inWindow.length;
  const cards = subject.values.Card === undefined ? {} : { cards: countDistinct(inWindow, 'Card') };
  if (dataKind !== 'Document') {
    const sessionCards = dataKind === 'Session' ? cards : {};
    return { transactions, documents: countDistinct(inWindow, 'Document'), ...sessionCards, denials };
  }
  return {
    transactions,
    ...cards,
    phones: countDistinct(inWindow, 'Phone'),
    emails: countDistinct(inWindow, 'Email'),
    denials,
  };
}

/**
 * Finds the links of a transaction to other transactions. `countsByKind` has counts for the value of each kind of data: how many
 * transactions have this value, and how many different documents, phones, e-mail addresses or cards these transactions have. Only
 * transactions within `withinDays` days before or after the assessed transaction count. Denials count without a limit of time.
 */
export function findLinks({ own: subject, others: observations }: LinkedObservations, withinDays: number): Links {
  const others = observations.filter(
    (one) => one.tenant !== subject.tenant || one.transactionId !== subject.transactionId,
  );
  const presentKinds = observedKinds.filter((dataKind) => subject.values[dataKind] !== undefined);
  const pairs = presentKinds.flatMap((left, index) =>
    presentKinds.slice(index + 1).map((right) => [left, right] as const),
  );
  const countsByKind = identifyingKinds
    .filter((dataKind) => presentKinds.includes(dataKind))
    .map((dataKind) => [dataKind, countSharedValues(subject, others, dataKind, withinDays)] as const);
  return {
    pairs: pairs.flatMap(([left, right]) => findPair(subject, others, [left, right])),
    countsByKind: Object.fromEntries(countsByKind),
  };
}

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
