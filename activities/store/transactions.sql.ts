import type { TransactionState } from '../../domain/state';
import type { Pool, PoolClient } from '../../platform/postgres';

const keepSql = `
  insert into transactions (tenant, id, version, state, changed_at) values ($1, $2, $3, $4, $5)
  on conflict (tenant, id) do update
    set version = excluded.version, state = excluded.state, changed_at = excluded.changed_at
    where transactions.version < excluded.version
  returning tenant, id`;

const linksSql = `
  insert into biometrics_links (id, tenant, transaction_id, token_hash, status, submitted_at)
  select link.id, kept.tenant, kept.id, link."tokenHash", link.status, link."submittedAt"
  from kept, json_to_recordset($4::json -> 'biometrics')
    as link (id text, "tokenHash" text, status text, "submittedAt" timestamptz)
  on conflict (id) do update set status = excluded.status, submitted_at = excluded.submitted_at`;

const runsSql = `
  insert into flow_runs (id, tenant, transaction_id, flow, version, status, step, outcome, path, started_at, ended_at)
  select run.id, kept.tenant, kept.id, run.flow, run.version, run.status,
    run.path -> -1 ->> 'step', run.outcome, run.path, run."startedAt", run."endedAt"
  from kept, json_to_recordset($4::json -> 'runs')
    as run (id text, flow text, version int, status text, outcome text, path json,
      "startedAt" timestamptz, "endedAt" timestamptz)
  on conflict (id) do update
    set status = excluded.status, step = excluded.step, outcome = excluded.outcome, path = excluded.path,
      ended_at = excluded.ended_at`;

// A step is found by the run that entered it, once, however often it did.
const stepsSql = `
  insert into flow_run_steps (run_id, tenant, flow, version, step, started_at)
  select distinct run.id, kept.tenant, run.flow, run.version, stay ->> 'step', run."startedAt"
  from kept, json_to_recordset($4::json -> 'runs')
    as run (id text, flow text, version int, path json, "startedAt" timestamptz),
    json_array_elements(run.path) as stay
  on conflict do nothing`;

/** One statement, so that links and runs can be found exactly when the record that has them is there. */
function statementFor({ biometrics, runs }: TransactionState): { name: string; text: string } {
  const name = `keep-state${biometrics ? '-links' : ''}${runs ? '-runs' : ''}`;
  const beside = [
    ...(biometrics ? [`links as (${linksSql})`] : []),
    ...(runs ? [`runs as (${runsSql})`, `steps as (${stepsSql})`] : []),
  ];
  if (beside.length === 0) return { name, text: keepSql };
  return { name, text: `with ${[`kept as (${keepSql})`, ...beside].join(', ')} select from kept` };
}

// A state is known by its version and its instant: the same version again has another instant when it was made anew.
const passedBySql = `
  select version from transactions where tenant = $1 and id = $2 and (version, changed_at) <> ($3, $4::timestamptz)`;

/**
 * Keeps a state unless the same or a newer version is there already, so that late and repeated writes change nothing.
 * `passedBy`: the version of another state that is there instead.
 */
export async function keepState(
  database: Pool | PoolClient,
  state: TransactionState,
): Promise<{ kept: boolean; passedBy?: number }> {
  const { tenant, id, version, changedAt } = state;
  // Named, so that a connection plans it once: a caller waits for it.
  const values = [tenant, id, version, JSON.stringify(state), changedAt];
  const { rowCount } = await database.query({ ...statementFor(state), values });
  if (rowCount !== null && rowCount > 0) return { kept: true };
  const { rows } = await database.query<{ version: number }>(passedBySql, [tenant, id, version, changedAt]);
  return { kept: false, ...(rows[0] && { passedBy: rows[0].version }) };
}

const forgetLinksSql = `
  delete from biometrics_links
  where tenant = $1 and transaction_id = $2 and status in ('Waiting', 'InProgress', 'Processing')`;

// Steps go with their run. What ended long ago is in no state any more and stays.
const forgetRunsSql = `
  delete from flow_runs where tenant = $1 and transaction_id = $2 and (status = 'Running' or id = any($3))`;

/** As `keepState`, where the record has a state that never was: rows of links and runs that only that one knew go with it. */
export async function keepInstead(client: PoolClient, state: TransactionState): ReturnType<typeof keepState> {
  const { tenant, id, runs = [] } = state;
  await client.query(forgetLinksSql, [tenant, id]);
  await client.query(forgetRunsSql, [tenant, id, runs.map((run) => run.id)]);
  return keepState(client, state);
}

const findSql = `select state from transactions where tenant = $1 and id = $2`;

/** The kept state of a transaction. */
export async function findState(
  pool: Pool,
  { tenant, id }: Pick<TransactionState, 'tenant' | 'id'>,
): Promise<TransactionState | undefined> {
  return (await pool.query<{ state: TransactionState }>(findSql, [tenant, id])).rows[0]?.state;
}
