import type { Pool } from './postgres';

/** Rows per statement. With more, a statement could exceed its timeout, and would hold locks for long. */
const batchSize = 1_000;

/** Deletes the rows of a table that match `where`, in batches. `where` is SQL from our code, never input. */
export async function deleteInBatches(pool: Pool, table: string, where: string): Promise<void> {
  const sql = `delete from ${table} where ctid = any(array(select ctid from ${table} where ${where} limit ${batchSize}))`;
  let deletedCount: number;
  do deletedCount = (await pool.query(sql)).rowCount ?? 0;
  while (deletedCount === batchSize);
}
