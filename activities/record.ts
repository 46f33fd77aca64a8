import type { PersonFacts } from '../domain/person-facts';
import { hashDestination } from '../platform/codes';
import type { Keys } from '../platform/keys';
import type { Logger } from '../platform/logger';
import { isOutage } from '../platform/outage';
import { errorName, inTransaction, type Pool } from '../platform/postgres';
import type { Activities, RecordSaved, RecordToSave } from '../workflows/ports';
import { claimAttempt } from '../store/messages/attempts.sql';
import { learnFacts } from '../store/record/observations.sql';
import { saveState } from '../store/record/transactions.sql';

const hasFacts = ({ phone, email, denied }: PersonFacts) => [phone, email, denied].some((fact) => fact !== undefined);

/**
 * Saves the record, and counts an attempt at a code in the same database transaction. Then it adds what the person has confirmed
 * or denied to the graph of links. The record comes first, so that an observation that is saved meanwhile finds the facts there.
 * A retry repeats both. If the graph fails for another reason than an outage, the confirmation still succeeds, and the next
 * assessment updates the graph.
 */
export function createRecorder(pool: Pool, keys: Keys, logger: Logger): Activities['saveRecord'] {
  return async (record) => {
    const saved = await save(pool, keys, record);
    const { conflictingVersion } = saved;
    const { tenant, id, facts, version } = saved.granted ? record.state : (record.attempt?.ifRejected ?? record.state);
    if (conflictingVersion !== undefined)
      logger.warn({ transactionId: id, version, conflictingVersion }, 'the record holds a conflicting version');
    else if (hasFacts(facts)) await learnFacts(pool, tenant, id).catch(unlessOutage(logger, id));
    return saved;
  };
}

/** Throws an outage, so that the attempt is retried, and logs any other error. */
function unlessOutage(logger: Logger, transactionId: string): (error: unknown) => void {
  return (error) => {
    if (isOutage(error)) throw error;
    logger.error(
      { transactionId, failure: errorName(error) },
      'the outcome was not saved to the graph of links; the next assessment saves it',
    );
  };
}

async function save(pool: Pool, keys: Keys, { state, attempt }: RecordToSave): Promise<RecordSaved> {
  if (!attempt) return saved(true, await saveState(pool, state));
  const { ifRejected, destination, ...claim } = attempt;
  return inTransaction(pool, async (client) => {
    const granted = await claimAttempt(client, { ...claim, destinationHash: hashDestination(keys, destination) });
    return saved(granted, await saveState(client, granted ? state : ifRejected));
  });
}

const saved = (granted: boolean, { conflictingVersion }: { conflictingVersion?: number }): RecordSaved => ({
  granted,
  ...(conflictingVersion !== undefined && { conflictingVersion }),
});
