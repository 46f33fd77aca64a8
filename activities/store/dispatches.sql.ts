import { inTransaction, type Pool } from '../../platform/postgres';

const dispatchSql = `
  update sends set state = 'dispatching', dispatches = dispatches + 1, dispatched_at = clock_timestamp()
  where send_id = $1 and dispatches = $2 and state in ('intent', 'dispatching')`;

/** One asking of the provider: the n-th of a send. */
export interface Dispatch {
  sendId: string;
  dispatches: number;
}

/** Takes the right to ask the provider once more. Undefined when another attempt took it since the row was read. */
export async function takeDispatch(pool: Pool, { sendId, dispatches }: Dispatch): Promise<Dispatch | undefined> {
  const { rowCount } = await pool.query(dispatchSql, [sendId, dispatches]);
  return rowCount === 1 ? { sendId, dispatches: dispatches + 1 } : undefined;
}

const releaseSql = `
  update sends set state = 'intent' where send_id = $1 and dispatches = $2 and state = 'dispatching'`;

/** Gives the right back: the provider certainly did not take the message. */
export async function releaseDispatch(pool: Pool, { sendId, dispatches }: Dispatch): Promise<void> {
  await pool.query(releaseSql, [sendId, dispatches]);
}

const failSql = `
  update sends set state = 'failed', failure = $3, provider_code = coalesce($4, provider_code)
  where send_id = $1 and dispatches = $2 and state in ('intent', 'dispatching')`;

/** Closes a send that will never go out, with the failure type that every further attempt is told. */
export async function failSend(pool: Pool, send: Dispatch, failure: string, providerCode?: string): Promise<void> {
  await pool.query(failSql, [send.sendId, send.dispatches, failure, providerCode ?? null]);
}

const disownSql = `update sends set provider_id = null where provider_id = $2 and send_id <> $1`;

const acceptSql = `
  update sends set state = 'accepted', provider_id = coalesce(provider_id, $2)
  where send_id = $1 and state = 'dispatching'`;

/**
 * Notes the provider's own answer. Another send may have adopted the message meanwhile, when both carry the same
 * text to the same phone and one of them was lost: the answer is certain, adoption is a guess, so the answer wins.
 */
export async function acceptSend(pool: Pool, sendId: string, providerId: string): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query(disownSql, [sendId, providerId]);
    await client.query(acceptSql, [sendId, providerId]);
  });
}

const adoptSql = `
  update sends set state = 'accepted', provider_id = $2
  where send_id = $1 and dispatches = $3 and state = 'dispatching'
    and not exists (select 1 from sends where provider_id = $2)`;

const uniqueViolation = '23505';

/** Takes a message found at the provider for this send's own. False when it belongs to another send, or the row moved on. */
export async function adoptMessage(pool: Pool, send: Dispatch, providerId: string): Promise<boolean> {
  try {
    return (await pool.query(adoptSql, [send.sendId, providerId, send.dispatches])).rowCount === 1;
  } catch (error) {
    if ((error as { code?: string }).code === uniqueViolation) return false;
    throw error;
  }
}
