import { FairQueue, QueueTimeoutError } from '../../../platform/fair-queue';
import { Problem } from '../problem';

/** A caller is promised an answer within 5 s. A long read itself takes less than a second. */
const waitMs = 4_000;

/**
 * Long reads of all tenants, such as lists and exports. A tenant has one at a time: several at once would end no sooner, because the process
 * decrypts and writes JSON on one thread, but would hold the memory and the connections of all of them.
 */
const longReads = new FairQueue({ slots: 4, slotsPerTenant: 1 });

/** Runs a long read of the current tenant in its turn. Throws reads_busy if its turn does not come in time. */
export async function readInTurn<Result>(read: () => Promise<Result>): Promise<Result> {
  const endTurn = await longReads.take({ withinMs: waitMs }).catch((error: unknown) => {
    throw error instanceof QueueTimeoutError ? new Problem('reads_busy') : error;
  });
  try {
    return await read();
  } finally {
    endTurn();
  }
}
