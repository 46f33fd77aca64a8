import { inTransaction, type Pool, type PoolClient } from '../../../platform/postgres/postgres';
import { isUniqueViolation } from '../../../platform/postgres/tenant-pool';

/** The row of one send: whether its message was sent, and with which result. */
export interface SendRow {
  sendId: string;
  /**
   * `intent`: the provider has certainly not accepted the message. `dispatching`: the outcome of a request to the provider is not known.
   * `accepted`: the provider has accepted the message. `failed`: the provider has certainly not accepted the message, and never will.
   */
  state: 'intent' | 'dispatching' | 'accepted' | 'failed';
  providerId: string | null;
  providerCode: string | null;
  /**
   * Why no further request may be made, as an error type. In the state `dispatching`, the provider may still have accepted an earlier
   * request.
   */
  failure: string | null;
  createdAt: Date;
  /** The name of the provider that got the last request. */
  provider: string | null;
  /** How many requests were made to the provider. */
  dispatches: number;
  /** Milliseconds since the last request to the provider, by the clock of the database. */
  dispatchedMsAgo: number | null;
}

/** SQL: the columns of SendRow. */
export const sendColumns = `
  send_id as "sendId", state, provider_id as "providerId", provider_code as "providerCode", failure,
  created_at as "createdAt", provider, dispatches,
  (extract(epoch from clock_timestamp() - dispatched_at) * 1000)::float8 as "dispatchedMsAgo"`;

const findSql = `select ${sendColumns} from sends where send_id = $1`;

/** The row of a send. Undefined if it was never created. */
export async function findSend(database: Pool | PoolClient, sendId: string): Promise<SendRow | undefined> {
  return (await database.query<SendRow>(findSql, [sendId])).rows[0];
}

const dispatchSql = `
  update sends set state = 'dispatching', dispatches = dispatches + 1, dispatched_at = clock_timestamp(), provider = $4
  where send_id = $1 and dispatches = $2 and state = $3 and failure is null and not erased`;

/**
 * A send before or during a request to the provider. `dispatches`: how many requests were made, with this one. `state`: the state of the
 * send without this request. If it is `dispatching`, the outcome of an earlier request is unknown, and the outcome of this request does not
 * change that: the provider's answer to one request says nothing about another request.
 */
export interface Dispatch {
  sendId: string;
  dispatches: number;
  state: SendRow['state'];
}

/**
 * Claims the next request, to the provider with this name. Call it before the request, so that two attempts to send the message never make this request at
 * the same time. Undefined if the row has changed since it was read, or if the transaction is erased.
 */
export async function claimDispatch(
  pool: Pool,
  { sendId, dispatches, state }: Dispatch,
  provider: string,
): Promise<Dispatch | undefined> {
  if (state !== 'intent' && state !== 'dispatching') return undefined;
  const { rowCount } = await pool.query(dispatchSql, [sendId, dispatches, state, provider]);
  return rowCount === 1 ? { sendId, dispatches: dispatches + 1, state } : undefined;
}

const releaseSql = `
  update sends set state = $3 where send_id = $1 and dispatches = $2 and state = 'dispatching'`;

/** Undoes a claim, after a request that the provider certainly did not accept. The send gets the state that the claim found. */
export async function releaseDispatch(pool: Pool, { sendId, dispatches, state }: Dispatch): Promise<void> {
  await pool.query(releaseSql, [sendId, dispatches, state]);
}

const failSql = `
  update sends set state = $3, failure = $4, provider_code = coalesce($5, provider_code)
  where send_id = $1 and dispatches = $2 and state in ('intent', 'dispatching') returning state`;

/**
 * Ends the requests of a send. `failure`: the error type with which every further attempt to send the message fails. The send gets the state
 * `failed` if the provider certainly accepted no request. Returns whether it did. If the outcome of an earlier request is unknown, the send
 * stays `dispatching`: it still counts against the limits, and a reply still finds it.
 */
export async function failSend(
  pool: Pool,
  { sendId, dispatches, state }: Dispatch,
  failure: string,
  providerCode?: string,
): Promise<boolean> {
  const nextState = state === 'intent' ? 'failed' : state;
  const { rows } = await pool.query<{ state: string }>(failSql, [
    sendId,
    dispatches,
    nextState,
    failure,
    providerCode ?? null,
  ]);
  return rows[0]?.state === 'failed';
}

/** SQL: takes the message $2 from every send but $1. A provider id belongs to one send. */
export const removeFromOtherSendSql = `update sends set provider_id = null where provider_id = $2 and send_id <> $1`;

const acceptSql = `
  update sends set state = 'accepted', failure = null, provider_id = coalesce(provider_id, $2)
  where send_id = $1 and state = 'dispatching' and not erased`;

/**
 * Saves the provider's response: it has accepted the message of this send. Usually one statement is enough. But another send with the same
 * text and phone may have adopted this message by mistake (`adoptMessage`). Then the other send loses the message, because the response is
 * certain, and an adoption is not.
 */
export async function acceptSend(pool: Pool, sendId: string, providerId: string): Promise<void> {
  const values = [sendId, providerId];
  const isAccepted = await pool.query(acceptSql, values).then(
    ({ rowCount }) => rowCount === 1,
    (error: unknown) => {
      if (!isUniqueViolation(error)) throw error;
      return false;
    },
  );
  if (isAccepted) return;
  await inTransaction(pool, async (client) => {
    await client.query(removeFromOtherSendSql, values);
    await client.query(acceptSql, values);
  });
}

const adoptSql = `
  update sends set state = 'accepted', failure = null, provider_id = $2
  where send_id = $1 and dispatches = $3 and state = 'dispatching'
    and not erased and not exists (select 1 from sends where provider_id = $2)`;

/**
 * Adopts a message: assigns a message in the provider's list to a send that got no response. False if the message belongs to another send,
 * or if the row of this send has changed.
 */
export async function adoptMessage(
  pool: Pool,
  send: Pick<Dispatch, 'sendId' | 'dispatches'>,
  providerId: string,
): Promise<boolean> {
  try {
    return (await pool.query(adoptSql, [send.sendId, providerId, send.dispatches])).rowCount === 1;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return false;
  }
}
