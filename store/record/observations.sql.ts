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
 * How many sightings of one value are read, in each circle. Those near the transaction in time tell how a value is
 * shared, from 3 documents on, and no policy asks for more than 50; they are read apart, so that a ring does not fade
 * behind what comes later. What is older tells how long a pair has been together. Whoever confirmed or denied is looked
 * for on purpose, however much has come since.
 */
export const readAtMost = { near: 50, newest: 30, denied: 5, confirmed: 10 } as const;

/** Postal codes and names are common to strangers: that many have one tells nothing. */
export const common: readonly LinkVariable[] = ['ZipCode', 'Name'];
/** Variables of the person themselves. */
export const personal: readonly LinkVariable[] = ['Document', 'Phone', 'Email'];

/** A sighting in one circle. */
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
  insert into sightings (circle, tenant, transaction_id, at, ${hashColumns})
  select circle, $1, $2, $3, ${hashColumns}
  from unnest($4::text[], ${linkVariables.map((_, index) => `$${index + 5}::uuid[]`).join(', ')})
    as seen (circle, ${hashColumns})
  on conflict do nothing`;

const byVariable = (sightings: readonly Observation[]) =>
  linkVariables.map((variable) => sightings.map(({ values }) => values[variable] ?? null));

/** Keeps the sightings of one transaction, one per circle. What is there already stays as it is. */
export async function saveObservations(pool: Pool, sightings: readonly CircleObservation[]): Promise<void> {
  const [first] = sightings;
  if (!first) return;
  const circles = sightings.map(({ circle }) => circle);
  await pool.query(saveSql, [first.tenant, first.transactionId, first.at, circles, ...byVariable(sightings)]);
}

// Facts come from the record, not from the caller: whichever of record and sighting is kept last finds the other. Rows
// are locked in one order, so that two who bring facts at once cannot wait for each other.
const learning = `
  facts as (
    select state #> '{facts,phone}' is not null as with_phone, state #> '{facts,email}' is not null as with_email,
      state #> '{facts,denied}' is not null as with_denial
    from transactions where tenant = $1 and id = $2
  ), learned as (
    update sightings as kept
    set phone_confirmed = kept.phone_confirmed or facts.with_phone,
      email_confirmed = kept.email_confirmed or facts.with_email, denied = kept.denied or facts.with_denial
    from facts cross join lateral (
      select circle from sightings
      where circle in ('tenant/' || $1, 'shared') and tenant = $1 and transaction_id = $2
        and (facts.with_phone > phone_confirmed or facts.with_email > email_confirmed or facts.with_denial > denied)
      order by circle for update
    ) as behind
    where kept.circle = behind.circle and kept.tenant = $1 and kept.transaction_id = $2
  )`;

const learnSql = `with ${learning} select`;

/** Brings the facts of a transaction's record into its sightings. Without record or sightings nothing happens. */
export async function learnFacts(pool: Pool, tenant: string, transactionId: string): Promise<void> {
  await pool.query(learnSql, [tenant, transactionId]);
}

const selected = `circle, tenant, transaction_id, at, ${hashColumns}`;
const everything = `${selected}, phone_confirmed, email_confirmed, denied`;

// A limit that the planner cannot know makes it walk the index from the newest on. Knowing it, and thinking a value rare,
// it fetches and sorts every sighting of the value, and one value that is flooded would make every look at it slow.
const branch = (variable: LinkVariable, limit: number, condition: string) => `
  select found.* from unnest($${linkVariables.indexOf(variable) + 3}::uuid[]) as wanted (value) cross join lateral (
    select ${everything} from sightings
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
    select ${everything} from sightings
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
      email_confirmed or coalesce(facts.with_email, false), sightings.denied or coalesce(facts.with_denial, false)
    from sightings left join facts on true
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
 * Brings the facts of the own record in, and gives the own sighting and others with each of its values, newest first:
 * those within the days around it, the newest, and those whose person confirmed or denied. Each value is read apart, so that a flood of one pushes nothing out of another. When the own sightings are of
 * both circles, an other that is in both too comes once for each, whichever of them had the value among its newest.
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
