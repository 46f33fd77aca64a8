import { Client } from 'pg';

/**
 * Where a worker is to be found by a kill: `in` a step, while it keeps the first record that has the run there, or at the
 * instant at which a provider took a message (`sent`, by the name under which sends are kept) and our own row does not say
 * so yet.
 */
export type KillPoint = `in ${string}` | `sent ${string}`;

interface StoppedTransaction {
  transactionId: string;
  place: KillPoint;
}

const lockClass = 4_711;

/** A statement that comes to a place sleeps there, on a lock that shows which place it is. */
const setUpSql = `
  create table kill_places (number serial primary key, transaction_id text not null, place text not null);
  create function stop_at(transaction text, reached text) returns void language plpgsql as $$
    declare found_number integer;
    begin
      select number into found_number from kill_places where transaction_id = transaction and place = reached;
      if found_number is not null then
        perform pg_advisory_xact_lock_shared(${lockClass}, found_number);
        perform pg_sleep(60);
      end if;
    end $$;
  create function stop_run() returns trigger language plpgsql as $$
    begin perform stop_at(new.transaction_id, 'in ' || new.step); return new; end $$;
  create function stop_send() returns trigger language plpgsql as $$
    begin perform stop_at(new.transaction_id, 'sent ' || new.flow); return new; end $$;
  create trigger stop_run before insert on flow_runs for each row execute function stop_run();
  create trigger stop_send before update on sends for each row
    when (old.state = 'dispatching' and new.state = 'accepted') execute function stop_send();`;

const stoppedSql = `
  select pid, number, transaction_id as "transactionId", place
  from pg_locks join kill_places on number = objid where locktype = 'advisory' and classid = ${lockClass}`;

/** Stops chosen statements of a worker inside Postgres, so that a kill finds it exactly there. */
export class KillPoints {
  private constructor(private readonly database: Client) {}

  static async open(databaseUrl: string): Promise<KillPoints> {
    const database = new Client({ connectionString: databaseUrl });
    await database.connect();
    await database.query(setUpSql);
    return new KillPoints(database);
  }

  /** The transaction stops at the place, once. */
  async add({ transactionId, place }: StoppedTransaction): Promise<void> {
    await this.database.query('insert into kill_places (transaction_id, place) values ($1, $2)', [
      transactionId,
      place,
    ]);
  }

  /** Who stands at a place now. */
  async stopped(): Promise<readonly StoppedTransaction[]> {
    return (await this.database.query<StoppedTransaction>(stoppedSql)).rows;
  }

  /**
   * Takes away the places at which somebody stands, and ends the statements that stand there as the end of their worker
   * would: nothing of them is kept.
   */
  async clear(): Promise<readonly StoppedTransaction[]> {
    const { rows } = await this.database.query<StoppedTransaction & { pid: number; number: number }>(stoppedSql);
    await this.database.query('delete from kill_places where number = any($1)', [rows.map(({ number }) => number)]);
    for (const { pid } of rows) await this.database.query('select pg_terminate_backend($1)', [pid]);
    return rows;
  }

  async close(): Promise<void> {
    await this.database.end();
  }
}
