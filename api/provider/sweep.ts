import type { Pool } from '../../platform/postgres';
import { keptForHours } from '../flows/once-per-key';

/** Rows that one statement deletes, so that a long backlog neither runs into the time limit of statements nor locks for long. */
const batch = 1_000;

/** A guess counts for a day, and a repeat of it is known by its idempotency key for another at most. */
const guessesKeptFor = '2 days';

/** Providers repeat a webhook for hours at most; in a week the id of an event that is done has told every repeat apart. */
const eventsKeptFor = '7 days';

const pastTheirTime = [
  `delete from guesses where ctid = any(array(
     select ctid from guesses where at < now() - interval '${guessesKeptFor}' limit ${batch}))`,
  `delete from provider_events where ctid = any(array(
     select ctid from provider_events where done_at < now() - interval '${eventsKeptFor}' limit ${batch}))`,
  `delete from flow_requests where ctid = any(array(
     select ctid from flow_requests where at < now() - interval '${keptForHours} hours' limit ${batch}))`,
];

/** Deletes the guesses, the worked-on events and the keys of changes to flows that nobody needs any more. */
export async function sweep(pool: Pool): Promise<void> {
  for (const statement of pastTheirTime) {
    let deleted: number;
    do deleted = (await pool.query(statement)).rowCount ?? 0;
    while (deleted === batch);
  }
}
