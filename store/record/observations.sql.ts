import { type LinkVariable, linkVariables } from '../../domain/scoring/evidence';
import type { Observation } from '../../domain/scoring/observation';
import type { Pool } from '../../platform/postgres';

const columnOf: Record<LinkVariable, string> = {
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
 * How many observations of one value are read, in each circle. `near`: close in time, to detect a shared value; no policy counts more
 * than 50, and later observations must not displace them. `newest`: to know how long a pair has been seen together. `denied` and
 * `confirmed` have their own limits, so that others never displace them.
 */
export const readAtMost = { near: 50, newest: 30, denied: 5, confirmed: 10 } as const;

/** Many strangers share postal codes and names, so sharing them is not evidence. */
export const common: readonly LinkVariable[] = ['ZipCode', 'Name'];
/** Variables of the person themselves. */
export const personal: readonly LinkVariable[] = ['Document', 'Phone', 'Email'];

/** An observation in one circle of tenants. */
export interface CircleObservation extends Observation {
  circle: string;
}

type Row = Record<LinkVariable, string | null> & {
  circle: string;
  tenant: string;
  transactionId: string;
  at: Date;
  phoneConfirmed: boolean;
  emailConfirmed: boolean;
  denied: boolean;
};

const hashColumns = linkVariables.map((variable) => columnOf[variable]).join(', ');

const saveSql = `
  insert into observations (circle, tenant, transaction_id, at, ${hashColumns})
  select circle, $1, $2, $3, ${hashColumns}
  from unnest($4::text[], ${linkVariables.map((_, index) => `$${index + 5}::uuid[]`).join(', ')})
    as seen (circle, ${hashColumns})
  on conflict do nothing`;

const byVariable = (observations: readonly Observation[]) =>
  linkVariables.map((variable) => observations.map(({ values }) => values[variable] ?? null));

/** Saves the observations of one transaction, one per circle. Saved observations never change. */
export async function saveObservations(pool: Pool, observations: readonly CircleObservation[]): Promise<void> {
  const [first] = observations;
  if (!first) return;
  const circles = observations.map(({ circle }) => circle);
  await pool.query(saveSql, [first.tenant, first.transactionId, first.at, circles, ...byVariable(observations)]);
}

// Facts come from the record: whichever of record and observation is saved last finds the other. Rows are locked in one order to
// avoid deadlocks.
const learning = `
  facts as (
    select state #> '{facts,phone}' is not null as with_phone, state #> '{facts,email}' is not null as with_email,
      state #> '{facts,denied}' is not null as with_denial
    from transactions where tenant = $1 and id = $2
  ), learned as (
    update observations as own
    set phone_confirmed = own.phone_confirmed or facts.with_phone,
      email_confirmed = own.email_confirmed or facts.with_email, denied = own.denied or facts.with_denial
    from facts cross join lateral (
      select circle from observations
      where circle in ('tenant/' || $1, 'shared') and tenant = $1 and transaction_id = $2
        and (facts.with_phone > phone_confirmed or facts.with_email > email_confirmed or facts.with_denial > denied)
      order by circle for update
    ) as outdated
    where own.circle = outdated.circle and own.tenant = $1 and own.transaction_id = $2
  )`;

const learnSql = `with ${learning} select`;

/** Copies the facts of a transaction's record to its observations. Does nothing if one of them is not saved yet. */
export async function learnFacts(pool: Pool, tenant: string, transactionId: string): Promise<void> {
  await pool.query(learnSql, [tenant, transactionId]);
}

const selected = `circle, tenant, transaction_id, at, ${hashColumns}`;
const everything = `${selected}, phone_confirmed, email_confirmed, denied`;

// The limit is a subquery, so that the planner reads the index from the newest row. With a constant it may expect few rows, then
// fetch and sort all of them, and one frequent value would make every assessment with it slow.
const branch = (variable: LinkVariable, limit: number, condition: string) => `
  select found.* from unnest($${linkVariables.indexOf(variable) + 3}::uuid[]) as wanted (value) cross join lateral (
    select ${everything} from observations
    where ${columnOf[variable]} = wanted.value and (tenant, transaction_id) <> ($1, $2) and ${condition}
    order by at desc limit (select ${limit})
  ) as found`;

const near = `at between $12::timestamptz - $13 * interval '1 day' and $12::timestamptz + $13 * interval '1 day'`;

const branches = linkVariables.flatMap((variable) => [
  branch(variable, readAtMost.newest, 'true'),
  ...(common.includes(variable) ? [] : [branch(variable, readAtMost.near, near)]),
  ...(personal.includes(variable) ? [branch(variable, readAtMost.denied, 'denied')] : []),
  ...(variable === 'Document' ? [branch(variable, readAtMost.confirmed, '(phone_confirmed or email_confirmed)')] : []),
]);

const findSql = `
  with ${learning}, found as (${branches.join(' union ')}), twins as (
    select ${everything} from observations
    where $11::boolean and circle = 'shared' and (tenant, transaction_id) in (
      select tenant, transaction_id from found where circle <> 'shared'
    )
  )
  select circle, tenant, transaction_id as "transactionId", at,
    ${linkVariables.map((variable) => `${columnOf[variable]} as "${variable}"`).join(', ')},
    phone_confirmed as "phoneConfirmed", email_confirmed as "emailConfirmed", denied
  from (
    select * from found union select * from twins union
    select ${selected}, phone_confirmed or coalesce(facts.with_phone, false),
      email_confirmed or coalesce(facts.with_email, false), observations.denied or coalesce(facts.with_denial, false)
    from observations left join facts on true
    where circle = 'tenant/' || $1 and tenant = $1 and transaction_id = $2
  ) as seen
  order by at desc, circle, tenant, transaction_id`;

function fromRow(row: Row): CircleObservation {
  const { circle, tenant, transactionId, at, phoneConfirmed, emailConfirmed, denied } = row;
  const values = linkVariables.flatMap((variable) => (row[variable] === null ? [] : [[variable, row[variable]]]));
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
 * Copies the facts of the own record, then returns the own observation and others with each of its values, newest first: those within
 * the days around it, the newest, and those that confirmed or denied. Each value has its own limits. With own observations in both
 * circles, another transaction in both is returned once per circle.
 */
export async function findObservations(
  pool: Pool,
  own: readonly Observation[],
  withinDays: number,
): Promise<CircleObservation[]> {
  const [first] = own;
  if (!first) return [];
  const values = [first.tenant, first.transactionId, ...byVariable(own), own.length > 1, first.at, withinDays];
  return (await pool.query<Row>(findSql, values)).rows.map(fromRow);
}
