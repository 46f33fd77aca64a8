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

const observe = ({ phone, email, denied }: PersonFacts) => [phone, email, denied].some((fact) => fact !== undefined);

/**
 * Saves records, and charges guesses in the same database transaction: both hold, or neither. What the person has confirmed or
 * denied then goes into the graph of links, after the record: an observation that is saved meanwhile finds the facts there. A
 * retry makes up for an attempt that ended in between. When the graph fails for another reason than an outage, confirming
 * goes on, and the next assessment makes up for it.
 */
export function createRecorder(pool: Pool, keys: Keys, logger: Logger): Activities['saveRecord'] {
  return async (record) => {
    const saved = await save(pool, keys, record);
    const { conflictingVersion } = saved;
    const { tenant, id, facts, version } = saved.granted ? record.state : (record.guess?.ifRefused ?? record.state);
    if (conflictingVersion !== undefined)
      logger.warn({ transactionId: id, version, conflictingVersion }, 'the record holds a conflicting version');
    else if (observe(facts)) await learnFacts(pool, tenant, id).catch(unlessAway(logger, id));
    return saved;
  };
}

/** Passes an outage on, so that the attempt is repeated; anything else is told to operators. */
function unlessAway(logger: Logger, transactionId: string): (error: unknown) => void {
  return (error) => {
    if (isOutage(error)) throw error;
    logger.error({ transactionId, failure: errorName(error) }, 'the outcome could not be saved to the link graph');
  };
}

async function save(pool: Pool, keys: Keys, { state, guess }: RecordToSave): Promise<RecordSaved> {
  if (!guess) return saved(true, await saveState(pool, state));
  const { ifRefused, destination, ...claim } = guess;
  return inTransaction(pool, async (client) => {
    const granted = await claimAttempt(client, { ...claim, destination: hashDestination(keys, destination) });
    return saved(granted, await saveState(client, granted ? state : ifRefused));
  });
}

const saved = (granted: boolean, { conflictingVersion }: { conflictingVersion?: number }): RecordSaved => ({
  granted,
  ...(conflictingVersion !== undefined && { conflictingVersion }),
});
