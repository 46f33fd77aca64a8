import type { Pool } from '../../../platform/postgres/postgres';

/** SQL of each value by which messages can be counted. The country is found from the prefix afterwards: see `groupedSql`. */
const columns = {
  day: `to_char((created_at at time zone 'utc')::date, 'YYYY-MM-DD')`,
  channel: 'channel',
  country: null,
  prefix: 'prefix',
  provider: 'provider',
} as const;

export type ConversionGroup = keyof typeof columns;

export const conversionGroups = Object.keys(columns) as ConversionGroup[];

/** How many messages had these values, and how far they came. A value is null if no row of a message has it. */
export type Conversion = Partial<Record<ConversionGroup, string | null>> & {
  sent: number;
  delivered: number;
  answered: number;
};

/**
 * SQL: the counts of the messages of a tenant. The first query groups by the start of the prefix in place of the country, because the pattern
 * of dial codes is slow, and millions of messages have few starts. The number of SQL texts is the number of sets of groups: 31.
 */
function groupedSql(groups: readonly ConversionGroup[]): string {
  const read = groups.flatMap((group) => (columns[group] === null ? [] : [`${columns[group]} as "${group}"`]));
  const names = groups.map((group) => (group === 'country' ? 'substring(start from $6) as country' : `"${group}"`));
  const start = groups.includes('country') ? [`left(prefix, 4) as start`] : [];
  const first = [...read, ...start];
  return `
    select ${names.join(', ')}, sum(sent)::int as sent, sum(delivered)::int as delivered, sum(answered)::int as answered
    from (
      select ${first.join(', ')}, count(*) as sent, count(*) filter (where provider_status = any ($4)) as delivered,
        count(*) filter (where answered) as answered
      from sends
      where tenant = $1 and created_at >= $2 and created_at < $3 and state in ('dispatching', 'accepted')
        and kind in ('token', 'secondFactor')
      group by ${first.map((_, index) => index + 1).join(', ')}
    ) as counted
    group by ${names.map((_, index) => index + 1).join(', ')}
    order by sent desc, ${names.map((_, index) => index + 1).join(', ')} limit $5`;
}

/**
 * Counts the codes and questions of a tenant that a provider may have, the most frequent groups first. `from`, `before`: the period.
 * `deliveredStatuses`: the provider statuses of messages that arrived. `dialCodes`: of all countries.
 */
export async function countConversion(
  pool: Pool,
  tenant: string,
  query: {
    from: Date;
    before: Date;
    groups: readonly ConversionGroup[];
    deliveredStatuses: readonly string[];
    dialCodes: ReadonlySet<string>;
    limit: number;
  },
): Promise<Conversion[]> {
  const { from, before, groups, deliveredStatuses, dialCodes, limit } = query;
  const values = [tenant, from, before, deliveredStatuses, limit];
  const pattern = groups.includes('country') ? [`^\\+(${[...dialCodes].join('|')})`] : [];
  return (await pool.query<Conversion>(groupedSql(groups), [...values, ...pattern])).rows;
}
