import { createMailServers } from '../../../activities/scoring/dns-mail-servers';
import { gatherEvidence } from '../../../activities/scoring/gather-evidence';
import type { Subject } from '../../../activities/scoring/history';
import { createMemoryHistory } from '../../score/memory-history';
import type { Assessment } from '../../../domain/scoring/assessment';
import { defaultPolicy } from '../../../domain/scoring/default-policy';
import type { Lookups } from '../../../domain/scoring/lookups';

const mailServers = createMailServers({ timeoutMs: 0 });

/**
 * Assesses the first transaction of a person under the built-in policy, with no bureau and no DNS lookups. `npm start` gives
 * the same result. Each call has an empty history, so that scenarios stay independent.
 */
export async function assessOffline(subject: Subject, lookups: Lookups = {}): Promise<Assessment> {
  const sources = { history: createMemoryHistory(), mailServers };
  // As in the service, a failed finder finds nothing.
  const evidence = await gatherEvidence(sources, subject, defaultPolicy, () => undefined, lookups);
  return { evidence, policy: defaultPolicy };
}
