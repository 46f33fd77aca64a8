import { Pool } from 'pg';

const tables = `
  create table if not exists transactions (
    id uuid primary key, person jsonb not null, status text not null default 'open', sends int not null default 0,
    attempts int not null default 0, code text, verified boolean not null default false, expires_at timestamptz not null);
  create index if not exists open_transactions on transactions (expires_at) where status = 'open';
  create table if not exists messages (
    id uuid primary key, transaction uuid not null references transactions, status text not null default 'sending', sid text);
  create index if not exists messages_of_transaction on messages (transaction);`;

/** The record of all transactions in Postgres. Each function is one statement, and commits before it returns. */
export async function openRecord() {
  const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
  await pool.query(tables);
  const row = async (text, values) => (await pool.query(text, values)).rows[0];
  return {
    create: (id, person) =>
      row(`insert into transactions (id, person, expires_at) values ($1, $2, now() + interval '1 day')`, [id, person]),

    /** Saves that a message will be sent, with its code. Returns the person; undefined if no sends are left. */
    reserve: (id, messageId, code) =>
      row(
        `with changed as (
           update transactions set sends = sends + 1, code = $3 where id = $1 and sends < 20 and status = 'open'
           returning id, person),
         message as (insert into messages (id, transaction) select $2, id from changed)
         select person from changed`,
        [id, messageId, code],
      ),
    saveSent: (messageId, sid) => row(`update messages set status = 'sent', sid = $2 where id = $1`, [messageId, sid]),

    /** Counts an attempt. Undefined if no attempts are left, or the code was already used. */
    check: (id, value) =>
      row(
        `update transactions set attempts = attempts + 1, verified = (code = $2)
         where id = $1 and attempts < 5 and not verified and status = 'open' returning verified, attempts`,
        [id, value],
      ),
    read: (id) =>
      row(
        `select id, person, status, attempts, verified, (select json_agg(m) from messages m where m.transaction = t.id) as messages
         from transactions t where id = $1`,
        [id],
      ),
    expire: (id) => row(`update transactions set status = 'expired' where id = $1 and status = 'open'`, [id]),
    expireAll: () => row(`update transactions set status = 'expired' where status = 'open' and expires_at < now()`),
  };
}
