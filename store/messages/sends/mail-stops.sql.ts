import type { Pool } from '../../../platform/postgres/postgres';

/** Why nobody gets mails at a mailbox, until a tenant releases it. */
export interface MailStop {
  reason: 'bounced' | 'complained';
  /** The enhanced status code of the bounce, such as `5.1.1`, or the type of the complaint, such as `abuse`. */
  code: string;
}

/** A mail that was sent, about which the mail system reports. */
export interface ReportedMail {
  sendId: string;
  providerId: string;
  /** Keyed hash of the mailbox. */
  destination: string;
  createdAt: Date;
}

const findSql = `
  select send_id as "sendId", provider_id as "providerId", destination, created_at as "createdAt" from sends
  where provider_id = any($1) and channel = 'email' and not erased limit 1`;

/** The mail with one of these Message-IDs. Undefined if none is a mail of the service, or if its transaction is erased. */
export async function findReportedMail(pool: Pool, messageIds: readonly string[]): Promise<ReportedMail | undefined> {
  return (await pool.query<ReportedMail>(findSql, [messageIds])).rows[0];
}

const stopSql = `
  insert into mail_stops (destination, reason, code, at) select destination, $2, $3, created_at from sends where send_id = $1
  on conflict (destination) do update set reason = excluded.reason, code = excluded.code, at = excluded.at
    where excluded.at > mail_stops.at`;

/**
 * Stops mails of all tenants to the mailbox of a mail. A repeat changes nothing, even after a release: a stop has the time of the mail, and a
 * release ends the stops of all earlier mails.
 */
export async function stopMailbox(pool: Pool, sendId: string, { reason, code }: MailStop): Promise<void> {
  await pool.query(stopSql, [sendId, reason, code]);
}

/** SQL: the stop of the mailbox $2, if the channel $3 is e-mail: its time, and its reason and code as JSON. */
export const mailStopSql = `
  select at, json_build_object('reason', reason, 'code', code) from mail_stops where destination = $2 and $3 = 'email'`;
