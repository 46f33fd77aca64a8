import { type Observation, type ObservedKind, observedKinds } from '../../domain/scoring/evidence';
import type { Pool } from '../../platform/postgres/postgres';

/** The column of the hash of each kind of data. */
export const columnOf: Record<ObservedKind, string> = {
  Document: 'document',
  Phone: 'phone',
  Email: 'email',
  ZipCode: 'zip_code',
  Card: 'card',
  Name: 'name',
  Session: 'session',
  Identifier: 'identifier',
};

/**
 * How many observations are read at most for one value, such as one phone. Each group has its own limit, so a large group does not displace
 * a small one.
 */
export const observationLimits = {
  /** Observations close in time to the transaction. They show whether many persons share the value. No policy has a threshold above 50. */
  closeInTime: 50,
  /** The newest observations, of any age. They show since when two values occur together. */
  newest: 30,
  /** Observations of persons who denied the transaction. */
  denied: 5,
  /** Observations of persons who confirmed the phone or the e-mail address. */
  confirmed: 10,
} as const;

/** Kinds of data that many strangers have in common. If two persons have the same postal code or name, this is not evidence. */
export const kindsSharedByStrangers: readonly ObservedKind[] = ['ZipCode', 'Name'];
/** Kinds of data that belong to one person. */
export const personalKinds: readonly ObservedKind[] = ['Document', 'Phone', 'Email'];

/** An observation in one circle. A circle is a group of tenants that see the same observations: see `circleOfTenant`. */
export interface CircleObservation extends Observation {
  circle: string;
  /** The hash of the caller's own reference. Lists search by it, but no query returns it. Saved only in the circle of the tenant. */
  reference?: string | undefined;
}

type ObservationRow = Record<ObservedKind, string | null> & {
  circle: string;
  tenant: string;
  transactionId: string;
  at: Date;
  phoneConfirmed: boolean;
  emailConfirmed: boolean;
  denied: boolean;
};

const hashColumns = observedKinds.map((kind) => columnOf[kind]).join(', ');

const saveSql = `
  insert into observations (circle, tenant, transaction_id, at, reference, ${hashColumns})
  select circle, $1, $2, $3, reference, ${hashColumns}
  from unnest($4::text[], $5::uuid[], ${observedKinds.map((_, index) => `$${index + 6}::uuid[]`).join(', ')})
    as seen (circle, reference, ${hashColumns})
  where not is_erased($1, $2)
  on conflict do nothing`;

/**
 * SQL: adds the observation of the transaction that `saved` has just created, at the time `$7`. `first`: the number of the first of the
 * parameters that `observationValues` returns.
 */
export const addObservationSql = (first: number): string => `
  insert into observations (circle, tenant, transaction_id, at, reference, ${hashColumns})
  select $${first}, saved.tenant, saved.id, $7, $${first + 1}, ${observedKinds.map((_, index) => `$${first + 2 + index}`).join(', ')}
  from saved on conflict do nothing`;

/** The parameters of `addObservationSql`. */
export const observationValues = ({ circle, reference, values }: CircleObservation): (string | null)[] => [
  circle,
  reference ?? null,
  ...observedKinds.map((kind) => values[kind] ?? null),
];

const valuesByKind = (observations: readonly Observation[]) =>
  observedKinds.map((kind) => observations.map(({ values }) => values[kind] ?? null));

/** Saves the observations of one transaction, one for each circle. Saves nothing if it is erased. Saved values never change. */
export async function saveObservations(pool: Pool, observations: readonly CircleObservation[]): Promise<void> {
  const [first] = observations;
  if (!first) return;
  const circles = observations.map(({ circle }) => circle);
  const references = observations.map(({ reference }) => reference ?? null);
  const { tenant, transactionId, at } = first;
  await pool.query(saveSql, [tenant, transactionId, at, circles, references, ...valuesByKind(observations)]);
}

// The lock lets a save of the record end first, or lets it wait: see migration 0011_facts.
const copyFactsSql = `
  select spread_facts($1, $2, phone_confirmed, email_confirmed, denied)
  from (select phone_confirmed, email_confirmed, denied from transactions where tenant = $1 and id = $2 for no key update) as record
  where phone_confirmed or email_confirmed or denied`;

/** Copies the facts of a transaction's record to its observations. Call this after `saveObservations`: each save of the record does the same. */
export async function copyFactsToObservations(pool: Pool, tenant: string, transactionId: string): Promise<void> {
  await pool.query(copyFactsSql, [tenant, transactionId]);
}

const allColumns = `circle, tenant, transaction_id, at, ${hashColumns}, phone_confirmed, email_confirmed, denied`;

// The limit is a subquery, so that Postgres reads the index from the newest row. With a constant, Postgres may expect only a few rows,
// read all rows and sort them. Then a frequent value would make every assessment with this value slow.
const unionBranch = (kind: ObservedKind, limit: number, condition: string) => `
  select found.* from unnest($${observedKinds.indexOf(kind) + 3}::uuid[]) as wanted (value) cross join lateral (
    select ${allColumns} from observations
    where ${columnOf[kind]} = wanted.value and (tenant, transaction_id) <> ($1, $2) and ${condition}
    order by at desc limit (select ${limit})
  ) as found`;

const isNearSql = `at between $12::timestamptz - $13 * interval '1 day' and $12::timestamptz + $13 * interval '1 day'`;

const unionBranches = observedKinds.flatMap((kind) => [
  unionBranch(kind, observationLimits.newest, 'true'),
  ...(kindsSharedByStrangers.includes(kind) ? [] : [unionBranch(kind, observationLimits.closeInTime, isNearSql)]),
  ...(personalKinds.includes(kind) ? [unionBranch(kind, observationLimits.denied, 'denied')] : []),
  ...(kind === 'Document'
    ? [unionBranch(kind, observationLimits.confirmed, '(phone_confirmed or email_confirmed)')]
    : []),
]);

const findSql = `
  with found as (${unionBranches.join(' union ')}), same_in_shared_circle as (
    select ${allColumns} from observations
    where $11::boolean and circle = 'shared' and (tenant, transaction_id) in (
      select tenant, transaction_id from found where circle <> 'shared'
    )
  )
  select circle, tenant, transaction_id as "transactionId", at,
    ${observedKinds.map((kind) => `${columnOf[kind]} as "${kind}"`).join(', ')},
    phone_confirmed as "phoneConfirmed", email_confirmed as "emailConfirmed", denied
  from (
    select * from found union select * from same_in_shared_circle union
    select ${allColumns} from observations
    where circle = 'tenant/' || $1 and tenant = $1 and transaction_id = $2
  ) as seen
  order by at desc, circle, tenant, transaction_id`;

function toObservation(row: ObservationRow): CircleObservation {
  const { circle, tenant, transactionId, at, phoneConfirmed, emailConfirmed, denied } = row;
  const values = observedKinds.flatMap((kind) => (row[kind] === null ? [] : [[kind, row[kind]]]));
  return {
    circle,
    tenant,
    transactionId,
    at: at.toISOString(),
    values: Object.fromEntries(values) as Observation['values'],
    confirmed: { phone: phoneConfirmed, email: emailConfirmed },
    denied,
  };
}

/**
 * Returns the observation of the transaction, and the observations of other transactions that have one of its values, newest first.
 * `withinDays`: an observation is close in time if it is at most this number of days before or after the transaction. `observationLimits`
 * has the groups of observations and their limits. A transaction that is in the tenant's circle and in the shared circle is returned twice.
 */
export async function findObservations(
  pool: Pool,
  ownObservations: readonly Observation[],
  withinDays: number,
): Promise<CircleObservation[]> {
  const [first] = ownObservations;
  if (!first) return [];
  const values = [
    first.tenant,
    first.transactionId,
    ...valuesByKind(ownObservations),
    ownObservations.length > 1,
    first.at,
    withinDays,
  ];
  return (await pool.query<ObservationRow>(findSql, values)).rows.map(toObservation);
}
