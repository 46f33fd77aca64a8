import type { Facts } from '../domain/facts';
import { hashDestination } from '../platform/codes';
import type { Keys } from '../platform/keys';
import type { Logger } from '../platform/logger';
import { faultName, inTransaction, isOutage, type Pool } from '../platform/postgres';
import type { Activities, RecordKept, RecordToKeep } from '../workflows/ports';
import { claimGuess } from './store/guesses.sql';
import { learnFacts } from './store/sightings.sql';
import { keepState } from './store/transactions.sql';

const tellOthers = ({ phone, email, denied }: Facts) => [phone, email, denied].some((fact) => fact !== undefined);

/**
 * Keeps records, and charges guesses in the same database transaction: both hold, or neither. What the person has
 * confirmed or denied then goes into the graph of links, after the record and not with it: a sighting that is kept
 * meanwhile finds the facts there. A repeat makes up for an attempt that ended in between; the graph failing for another
 * reason than an outage keeps nobody from confirming, and the next look makes up for it.
 */
export function createRecorder(pool: Pool, keys: Keys, logger: Logger): Activities['recordTransaction'] {
  return async (record) => {
    const kept = await keep(pool, keys, record);
    const { tenant, id, facts, version } = kept.granted ? record.state : (record.guess?.ifRefused ?? record.state);
    if (kept.passedBy !== undefined)
      logger.warn({ transactionId: id, version, passedBy: kept.passedBy }, 'the record has another state');
    else if (tellOthers(facts)) await learnFacts(pool, tenant, id).catch(unlessAway(logger, id));
    return kept;
  };
}

/** Passes an outage on, so that the attempt is repeated; anything else is told to operators. */
function unlessAway(logger: Logger, transactionId: string): (error: unknown) => void {
  return (error) => {
    if (isOutage(error)) throw error;
    logger.error({ transactionId, failure: faultName(error) }, 'what the person did could not be learned');
  };
}

async function keep(pool: Pool, keys: Keys, { state, guess }: RecordToKeep): Promise<RecordKept> {
  if (!guess) return told(true, await keepState(pool, state));
  const { ifRefused, destination, ...claim } = guess;
  return inTransaction(pool, async (client) => {
    const granted = await claimGuess(client, { ...claim, destination: hashDestination(keys, destination) });
    return told(granted, await keepState(client, granted ? state : ifRefused));
  });
}

const told = (granted: boolean, { passedBy }: { passedBy?: number }): RecordKept => ({
  granted,
  ...(passedBy !== undefined && { passedBy }),
});
