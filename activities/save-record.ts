import type { PersonFacts } from '../domain/person-facts';
import { hashDestination } from '../platform/codes';
import type { Keys } from '../platform/keys';
import type { Logger } from '../platform/logger';
import { isOutage } from '../platform/outage';
import { errorName, inTransaction, type Pool } from '../platform/postgres';
import type { Activities, SaveResult, RecordToSave } from '../workflows/ports';
import { countAttempt } from '../store/messages/attempts.sql';
import { copyFactsToObservations } from '../store/record/observations.sql';
import { saveState } from '../store/record/transactions.sql';

const hasFacts = ({ phone, email, denied }: PersonFacts) => [phone, email, denied].some((fact) => fact !== undefined);

/**
 * Saves the record, and counts an attempt at a code in the same database transaction. Then it copies what the person has
 * confirmed or denied to the link graph. The record comes first, so that an observation that is saved meanwhile finds the facts
 * there. A retry after an outage repeats both. After any other error of the graph, the confirmation still succeeds, and the next
 * assessment updates the graph.
 */
export function createRecorder(pool: Pool, keys: Keys, logger: Logger): Activities['saveRecord'] {
  return async (record) => {
    const result = await save(pool, keys, record);
    const { conflictingVersion } = result;
    const { tenant, id, facts, version } = result.granted ? record.state : (record.attempt?.ifRejected ?? record.state);
    if (conflictingVersion !== undefined)
      logger.warn({ transactionId: id, version, conflictingVersion }, 'the record holds a conflicting version');
    else if (hasFacts(facts)) await copyFactsToObservations(pool, tenant, id).catch(handleGraphError(logger, id));
    return result;
  };
}

/** Throws the error of an outage, so that Temporal retries the activity. Logs any other error. */
function handleGraphError(logger: Logger, transactionId: string): (error: unknown) => void {
  return (error) => {
    if (isOutage(error)) throw error;
    logger.error(
      { transactionId, failure: errorName(error) },
      'what the person confirmed or denied was not copied to the link graph; the next assessment copies it',
    );
  };
}

async function save(pool: Pool, keys: Keys, { state, attempt }: RecordToSave): Promise<SaveResult> {
  if (!attempt) return toSaveResult(true, await saveState(pool, state));
  const { ifRejected, destination, ...countedAttempt } = attempt;
  return inTransaction(pool, async (client) => {
    const granted = await countAttempt(client, {
      ...countedAttempt,
      destinationHash: hashDestination(keys, destination),
    });
    return toSaveResult(granted, await saveState(client, granted ? state : ifRejected));
  });
}

const toSaveResult = (granted: boolean, { conflictingVersion }: { conflictingVersion?: number }): SaveResult => ({
  granted,
  ...(conflictingVersion !== undefined && { conflictingVersion }),
});
