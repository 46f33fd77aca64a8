import { Client } from 'pg';

/**
 * When a kill hits the worker. `in <step>`: while it saves the flow run for the first time in this step. `sent <message>`: after the
 * provider has accepted the message, before the worker updates the row of the message in `sends`.
 */
export type KillPoint = `in ${string}` | `sent ${string}`;

interface TransactionAtPoint {
  transactionId: string;
  point: KillPoint;
}

/** The class of the Postgres advisory locks that show the reached kill points. Any number that the service does not use. */
const lockClass = 4_711;

/** A statement at a kill point takes the lock with the number of the point, and sleeps. */
const setUpSql = `
  create table kill_points (number serial primary key, transaction_id text not null, kill_point text not null);
  create function stop_at(transaction text, reached text) returns void language plpgsql as $$
    declare found_number integer;
    begin
      select number into found_number from kill_points where transaction_id = transaction and kill_point = reached;
      if found_number is not null then
        perform pg_advisory_xact_lock_shared(${lockClass}, found_number);
        perform pg_sleep(60);
      end if;
    end $$;
  create function stop_run() returns trigger language plpgsql as $$
    begin perform stop_at(new.transaction_id, 'in ' || new.step); return new; end $$;
  create function stop_send() returns trigger language plpgsql as $$
    begin perform stop_at(new.transaction_id, 'sent ' || new.channel || ' ' || new.kind); return new; end $$;
  create trigger stop_run before insert on flow_runs for each row execute function stop_run();
  create trigger stop_send before update on sends for each row
    when (old.state = 'dispatching' and new.state = 'accepted') execute function stop_send();`;

const stoppedTransactionsSql = `
  select pid, number, transaction_id as "transactionId", kill_point as point
  from pg_locks join kill_points on number = objid where locktype = 'advisory' and classid = ${lockClass}`;

/** Stops chosen statements inside Postgres, so that a kill hits the worker exactly there. */
export class KillPoints {
  private constructor(private readonly database: Client) {}

  static async open(databaseUrl: string): Promise<KillPoints> {
    const database = new Client({ connectionString: databaseUrl });
    await database.connect();
    await database.query(setUpSql);
    return new KillPoints(database);
  }

  /** Stops the transaction when it reaches the point for the first time. */
  async add({ transactionId, point }: TransactionAtPoint): Promise<void> {
    await this.database.query('insert into kill_points (transaction_id, kill_point) values ($1, $2)', [
      transactionId,
      point,
    ]);
  }

  async readStoppedTransactions(): Promise<readonly TransactionAtPoint[]> {
    return (await this.database.query<TransactionAtPoint>(stoppedTransactionsSql)).rows;
  }

  /** Terminates the stopped statements before they save anything, and removes their kill points. Returns their transactions. */
  async removeReachedPoints(): Promise<readonly TransactionAtPoint[]> {
    const { rows } = await this.database.query<TransactionAtPoint & { pid: number; number: number }>(
      stoppedTransactionsSql,
    );
    await this.database.query('delete from kill_points where number = any($1)', [rows.map(({ number }) => number)]);
    for (const { pid } of rows) await this.database.query('select pg_terminate_backend($1)', [pid]);
    return rows;
  }

  async close(): Promise<void> {
    await this.database.end();
  }
}
