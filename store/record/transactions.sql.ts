import { eventsOf } from '../../domain/events/events-of';
import { searchAttributesOf } from '../../domain/operator-panel/operator-panel';
import type { TransactionState } from '../../domain/state';
import { DataErasedError } from '../../platform/keys/data-keys';
import type { Pool, PoolClient } from '../../platform/postgres';
import { addDeliveriesSql, announceDeliveriesSql } from '../webhooks/webhook-deliveries.sql';
import { type RecordKeys, type SealedState, sealState, unsealState } from './sealed-state';
import { addEventsSql, announceNewEventsSql } from './transaction-events.sql';

const saveSql = `
  insert into transactions (tenant, id, version, sealed, changed_at, phone_confirmed, email_confirmed, denied, run_id,
    created_at, status, flow, flow_outcome)
  values ($1, $2, $3, $5, $6, $7, $8, $9, $10, $12, $13, $14, $15)
  on conflict (tenant, id) do update
    set version = excluded.version, sealed = excluded.sealed, changed_at = excluded.changed_at,
      phone_confirmed = excluded.phone_confirmed, email_confirmed = excluded.email_confirmed, denied = excluded.denied,
      run_id = excluded.run_id, created_at = excluded.created_at, status = excluded.status, flow = excluded.flow,
      flow_outcome = excluded.flow_outcome
    where transactions.version < excluded.version and transactions.erased_at is null
      and (transactions.run_id = excluded.run_id or transactions.version = $11)
  returning tenant, id, status`;

const linksSql = `
  insert into biometrics_links (id, tenant, transaction_id, token_hash, status, submitted_at)
  select link.id, saved.tenant, saved.id, link."tokenHash", link.status, link."submittedAt"
  from saved, json_to_recordset($4::json -> 'biometrics')
    as link (id text, "tokenHash" text, status text, "submittedAt" timestamptz)
  on conflict (id) do update set status = excluded.status, submitted_at = excluded.submitted_at`;

const runsSql = `
  insert into flow_runs (id, tenant, transaction_id, flow, version, status, step, outcome, path, started_at, ended_at)
  select run.id, saved.tenant, saved.id, run.flow, run.version, run.status,
    run.path -> -1 ->> 'step', run.outcome, run.path, run."startedAt", run."endedAt"
  from saved, json_to_recordset($4::json -> 'runs')
    as run (id text, flow text, version int, status text, outcome text, path json,
      "startedAt" timestamptz, "endedAt" timestamptz)
  on conflict (id) do update
    set status = excluded.status, step = excluded.step, outcome = excluded.outcome, path = excluded.path,
      ended_at = excluded.ended_at`;

// Saves one row for each flow run and step, however often the flow run has entered the step.
const stepsSql = `
  insert into flow_run_steps (run_id, tenant, flow, version, step, started_at)
  select distinct run.id, saved.tenant, run.flow, run.version, visit ->> 'step', run."startedAt"
  from saved, json_to_recordset($4::json -> 'runs')
    as run (id text, flow text, version int, path json, "startedAt" timestamptz),
    json_array_elements(run.path) as visit
  on conflict do nothing`;

/** SQL: deletes rows of links or flow runs that are not in the state. A stale record had added these rows. */
const deleteStaleSql = (table: string, stateField: string) => `
  delete from ${table} using saved
  where ${table}.tenant = saved.tenant and transaction_id = saved.id
    and ${table}.id <> all (array(select one ->> 'id' from json_array_elements($4::json -> '${stateField}') as one))`;

const deleteStaleStepsSql = `
  delete from flow_run_steps using saved, json_to_recordset($4::json -> 'runs') as run (id text, path json)
  where run_id = run.id and step not in (select visit ->> 'step' from json_array_elements(run.path) as visit)`;

/** SQL: one statement, so that a record and the rows of its links, flow runs, events and deliveries become visible at the same time. */
const saveAllSql = `
  with saved as (${saveSql}),
    events as (${addEventsSql}), deliveries as (${addDeliveriesSql}),
    links as (${linksSql}), gone_links as (${deleteStaleSql('biometrics_links', 'biometrics')}),
    runs as (${runsSql}), gone_runs as (${deleteStaleSql('flow_runs', 'runs')}),
    steps as (${stepsSql}), gone_steps as (${deleteStaleStepsSql})
  select (${announceNewEventsSql}), (${announceDeliveriesSql}) from saved`;

// Two different states may have the same version, but never the same version and time. So version and time identify a state.
const conflictSql = `
  select version, run_id as "runId", erased_at is not null as erased from transactions
  where tenant = $1 and id = $2 and (erased_at is not null or (version, changed_at) <> ($3, $4::timestamptz))`;

/** The part of a state that SQL reads, as JSON: links, flow runs and events. It has no personal data. */
function jsonForSql(state: TransactionState): string {
  const { biometrics = [], runs = [] } = state;
  return JSON.stringify({
    events: eventsOf(state),
    biometrics: biometrics.map(({ id, tokenHash, status, submittedAt }) => ({ id, tokenHash, status, submittedAt })),
    runs: runs.map(({ id, flow, version, status, outcome, path, startedAt, endedAt }) => {
      return { id, flow, version, status, outcome, path, startedAt, endedAt };
    }),
  });
}

/** Another workflow run has saved the record, and this workflow run does not continue from that record. */
export class RecordOfOtherRunError extends Error {
  override name = 'RecordOfOtherRunError';

  constructor({ tenant, id }: Pick<TransactionState, 'tenant' | 'id'>) {
    super(`Another workflow run has saved the record of the transaction ${id} of ${tenant}.`);
  }
}

/**
 * The workflow run (one execution of the workflow in Temporal) that saves a state. `savedVersion`: the version of the record from which
 * this workflow run continues.
 */
export interface SavingRun {
  runId: string;
  savedVersion: number;
}

interface Conflict {
  version: number;
  runId: string | null;
  erased: boolean;
}

/**
 * Saves a state. If the same or a newer version is already saved, saves nothing, so late and repeated writes change nothing.
 * `conflictingVersion`: the version of the saved record, if it is newer or has another state of the same version. Throws
 * RecordOfOtherRunError if another workflow run saved the record and its version is not `savedVersion`. Throws DataErasedError if the
 * transaction was erased.
 */
export async function saveState(
  database: Pool | PoolClient,
  keys: RecordKeys,
  state: TransactionState,
  { runId, savedVersion }: SavingRun,
): Promise<{ saved: boolean; conflictingVersion?: number }> {
  const { tenant, id, version, changedAt, facts } = state;
  const sealed = await sealState(keys, state);
  const flags = [facts.phoneConfirmedAt, facts.emailConfirmedAt, facts.deniedAt].map((fact) => fact !== undefined);
  const { status, flow, flowOutcome } = searchAttributesOf(state);
  const values = [
    ...[tenant, id, version, jsonForSql(state), sealed, changedAt, ...flags, runId, savedVersion],
    ...[state.createdAt, status, flow, flowOutcome],
  ];
  const { rowCount } = await database.query(saveAllSql, values);
  if (rowCount !== null && rowCount > 0) return { saved: true };
  const [conflict] = (await database.query<Conflict>(conflictSql, [tenant, id, version, changedAt])).rows;
  if (!conflict) return { saved: false };
  if (conflict.erased) throw new DataErasedError({ tenant, owner: id });
  if (conflict.runId !== runId) throw new RecordOfOtherRunError({ tenant, id });
  return { saved: false, conflictingVersion: conflict.version };
}

const findSql = `select tenant, id, version, sealed from transactions where tenant = $1 and id = $2`;

/** The saved state of a transaction. Undefined if there is none. Throws DataErasedError if the transaction was erased. */
export async function findState(
  pool: Pool,
  keys: RecordKeys,
  { tenant, id }: Pick<TransactionState, 'tenant' | 'id'>,
): Promise<TransactionState | undefined> {
  const [row] = (await pool.query<SealedState>(findSql, [tenant, id])).rows;
  return row && unsealState(keys, row);
}

const hasRowSql = `select from transactions where tenant = $1 and id = $2`;

/** Whether a transaction has a row: a record, or what is left after its erasure. */
export async function hasRow(pool: Pool, { tenant, id }: Pick<TransactionState, 'tenant' | 'id'>): Promise<boolean> {
  return (await pool.query(hasRowSql, [tenant, id])).rowCount === 1;
}
