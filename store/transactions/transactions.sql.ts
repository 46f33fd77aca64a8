import { eventsOf } from '../../domain/events/events-of';
import { measureOf, measuresOf } from '../../domain/events/measures';
import { dueAtOf } from '../../domain/transactions/status';
import { searchAttributesOf } from '../../domain/operator-panel/operator-panel';
import type { TransactionState } from '../../domain/transactions/state';
import { DataErasedError, type TransactionKeys } from '../../platform/keys/data-keys';
import { addKeySql } from '../../platform/keys/data-keys.sql';
import type { Pool, PoolClient } from '../../platform/postgres/postgres';
import { isUniqueViolation } from '../../platform/postgres/tenant-pool';
import { personAllowedSql } from '../lists/list-entries.sql';
import { countAttemptSql } from '../messages/attempts.sql';
import { addDeliveriesSql, announceDeliveriesSql } from '../webhooks/webhook-deliveries.sql';
import { addObservationSql, type CircleObservation, observationValues } from './observations.sql';
import { addEventsSql, announceNewEventsSql, countEvents } from './transaction-events.sql';
import { seal, unseal } from '../../platform/keys/seal';

const createSql = `
  insert into transactions (tenant, id, version, sealed, changed_at, created_at, status, due_at)
  select $1, $2, $3, $5, $6, $7, $8, $9 from key
  returning tenant, id, status`;

/** SQL: one statement, so that a transaction has its data key, its record, its first event and its observation, or nothing. */
const createAllSql = `
  with key as (${addKeySql({ keyId: '$10', wrapped: '$11', documentHash: '$12' }, personAllowedSql('$23'))}), saved as (${createSql}),
    events as (${addEventsSql}), deliveries as (${addDeliveriesSql}), observed as (${addObservationSql(13)})
  select (${announceNewEventsSql}), (${announceDeliveriesSql}) from saved`;

// After the restore of an older backup, the record of a running transaction can be gone. The next save adds it again.
/** SQL: saves a record. `attempt`: a part of the statement that says whether it may be saved. */
const saveSql = `
  insert into transactions (tenant, id, version, sealed, changed_at, phone_confirmed, email_confirmed, denied,
    created_at, status, flow, flow_outcome, due_at)
  select $1, $2, $3, $5, $6, $7, $8, $9, $11, $12, $13, $14, $15 from attempt where attempt.allowed
  on conflict (tenant, id) do update
    set version = excluded.version, sealed = excluded.sealed, changed_at = excluded.changed_at,
      phone_confirmed = excluded.phone_confirmed, email_confirmed = excluded.email_confirmed, denied = excluded.denied,
      status = excluded.status, flow = excluded.flow, flow_outcome = excluded.flow_outcome, due_at = excluded.due_at
    where transactions.version < excluded.version and transactions.version <= $10 and transactions.erased_at is null
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

/**
 * SQL: one statement, so that a record, the rows of its links, flow runs, events and deliveries, and the facts that others read become visible
 * at the same time. `allowed`: an expression that decides whether anything is saved.
 */
const saveAllSql = (allowed: string) => `
  with attempt as (select ${allowed} as allowed), saved as (${saveSql}),
    events as (${addEventsSql}), deliveries as (${addDeliveriesSql}),
    links as (${linksSql}), runs as (${runsSql}), steps as (${stepsSql})
  select (${announceNewEventsSql}), (${announceDeliveriesSql}), attempt.allowed, saved.id is not null as saved,
    case when saved.id is not null and ($7 or $8 or $9) then spread_facts(saved.tenant, saved.id, $7, $8, $9) end,
    (select json_agg(key) from events) as "newEvents" from attempt left join saved on true`;

const saveRecordSql = saveAllSql('true');
const saveAttemptSql = saveAllSql(countAttemptSql(16));

// Two different states may have the same version, but never the same version and time. So version and time identify a state.
const otherStateSql = `
  select tenant, id, version, sealed, erased_at is not null as erased from transactions
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

/** The result of `saveState`. */
export interface SavedState {
  /** False if the record already had this state, or was ahead, or if the attempt is not allowed. */
  saved: boolean;
  /** False if the attempt at a code is over the limits of its phone or mailbox. Then the state was not saved. */
  attemptAllowed: boolean;
  /** The state of the record, if the record was ahead. */
  newerRecord?: TransactionState;
}

/**
 * Saves a state that continues from version `savedVersion` of the record. If the record already has this state, saves nothing, so a
 * repeated call changes nothing. If the record has another state with a higher version than `savedVersion`, the record is ahead of the
 * state: saves nothing, and returns the state of the record. `attempt`: the attempt at a code from which the state follows (`attemptValues`). It is
 * counted in the same statement. Throws DataErasedError if the transaction was erased.
 */
export async function saveState(
  database: Pool | PoolClient,
  keys: RecordKeys,
  state: TransactionState,
  savedVersion: number,
  attempt?: readonly unknown[],
): Promise<SavedState> {
  const { tenant, id, version, changedAt, facts } = state;
  const sealed = sealState(await keys.get({ tenant, owner: id }), state);
  const flags = [facts.phoneConfirmedAt, facts.emailConfirmedAt, facts.deniedAt].map((fact) => fact !== undefined);
  const { status, flow, flowOutcome } = searchAttributesOf(state);
  const values = [
    ...[tenant, id, version, jsonForSql(state), sealed, changedAt, ...flags, savedVersion],
    ...[state.createdAt, status, flow, flowOutcome, dueAtOf(state), ...(attempt ?? [])],
  ];
  const sql = attempt ? saveAttemptSql : saveRecordSql;
  type Row = { allowed: boolean; saved: boolean; newEvents: string[] | null };
  const [result] = (await database.query<Row>(sql, values)).rows;
  const attemptAllowed = result?.allowed ?? true;
  if (result?.saved) {
    countEvents(measuresOf(state, result.newEvents ?? []));
    return { saved: true, attemptAllowed };
  }
  if (!attemptAllowed) return { saved: false, attemptAllowed };
  const { rows } = await database.query<SealedState & { erased: boolean }>(otherStateSql, [
    tenant,
    id,
    version,
    changedAt,
  ]);
  const [other] = rows;
  if (!other) return { saved: false, attemptAllowed };
  if (other.erased) throw new DataErasedError({ tenant, owner: id });
  return { saved: false, attemptAllowed, newerRecord: await unsealState(keys, other) };
}

/** The keys with which a new record is created. */
export type NewRecordKeys = Pick<TransactionKeys, 'generate' | 'remember'>;

/**
 * Saves the initial state of a transaction, with a new data key. `observation`: its observation in the circle of its tenant, which also has
 * the hash of the person's document, by which the data of the person is found. `listedValues`: those by which the tenant may deny the person
 * (`personValues`). Returns false and saves nothing if the person is denied, or if the transaction exists, or existed before its erasure.
 */
export async function createRecord(
  pool: Pool,
  keys: NewRecordKeys,
  state: TransactionState,
  observation: CircleObservation,
  listedValues: readonly string[] = [],
): Promise<boolean> {
  const { tenant, id, version, changedAt, createdAt } = state;
  const owner = { tenant, owner: id };
  const { key, wrappedKey } = await keys.generate(owner);
  const values = [
    ...[tenant, id, version, jsonForSql(state), sealState(key, state), changedAt, createdAt],
    ...[searchAttributesOf(state).status, dueAtOf(state), wrappedKey.keyId, wrappedKey.wrapped],
    ...[observation.values.Document ?? null, ...observationValues(observation), listedValues],
  ];
  try {
    const isNew = (await pool.query(createAllSql, values)).rowCount === 1;
    if (!isNew) return false;
    keys.remember(owner, key);
    countEvents(eventsOf(state).map((event) => measureOf(event, state)));
    return true;
  } catch (error) {
    // The record exists, and its data key was lost. Nothing was saved, also no new key, with which the record could never be read again.
    if (isUniqueViolation(error)) return false;
    throw error;
  }
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

const versionSql = `select version from transactions where tenant = $1 and id = $2 and erased_at is null`;

/** The version of the saved state of a transaction. Undefined if there is none. Decrypts nothing. */
export async function findVersion(
  pool: Pool,
  { tenant, id }: Pick<TransactionState, 'tenant' | 'id'>,
): Promise<number | undefined> {
  return (await pool.query<{ version: number }>(versionSql, [tenant, id])).rows[0]?.version;
}

/** Gives the data keys that encrypt records. */
export type RecordKeys = Pick<TransactionKeys, 'get'>;

/** A record as saved in its row. `sealed`: the encrypted state. Null after the transaction was erased. */
export interface SealedState {
  tenant: string;
  id: string;
  version: number;
  sealed: Buffer | null;
}

/**
 * The context with which a state is encrypted. If somebody swaps rows, or puts back an earlier state, the context does not match, and
 * the decryption fails.
 */
const contextOf = ({ tenant, id, version }: Omit<SealedState, 'sealed'>) => ['record', tenant, id, String(version)];

/** Encrypts a state with the data key of its transaction. */
export const sealState = (key: Buffer, state: TransactionState): Buffer =>
  seal(key, Buffer.from(JSON.stringify(state)), contextOf(state));

/** Decrypts a state. Throws DataErasedError if its transaction was erased, and BrokenSealError if somebody has changed the row. */
export async function unsealState(keys: RecordKeys, { sealed, ...row }: SealedState): Promise<TransactionState> {
  const owner = { tenant: row.tenant, owner: row.id };
  if (!sealed) throw new DataErasedError(owner);
  return JSON.parse(unseal(await keys.get(owner), sealed, contextOf(row)).toString());
}
