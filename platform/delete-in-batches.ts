import type { Pool } from './postgres';

/** Rows per statement: a long backlog must not reach the time limit of statements, nor lock for long. */
const batch = 1_000;

/** Deletes the rows of a table that match `where`, in batches. `where` is SQL from our code, never input. */
export async function deleteInBatches(pool: Pool, table: string, where: string): Promise<void> {
  const sql = `delete from ${table} where ctid = any(array(select ctid from ${table} where ${where} limit ${batch}))`;
  let deleted: number;
  do deleted = (await pool.query(sql)).rowCount ?? 0;
  while (deleted === batch);
}
