import type { Pool } from './postgres';

/** Rows that one statement deletes: a long backlog neither runs into the time limit of statements nor locks for long. */
const batch = 1_000;

/**
 * Deletes the rows of a table for which a condition holds, a batch at a time. `where` is SQL of our own, never input.
 */
export async function deleteInBatches(pool: Pool, table: string, where: string): Promise<void> {
  const sql = `delete from ${table} where ctid = any(array(select ctid from ${table} where ${where} limit ${batch}))`;
  let deleted: number;
  do deleted = (await pool.query(sql)).rowCount ?? 0;
  while (deleted === batch);
}
