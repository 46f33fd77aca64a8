import { createMailServers } from '../../../activities/scoring/dns-mail-servers';
import { gatherEvidence } from '../../../activities/scoring/gather-evidence';
import type { Subject } from '../../../activities/scoring/history';
import { createMemoryHistory } from '../../score/memory-history';
import type { Assessment } from '../../../domain/scoring/assessment';
import { defaultPolicy } from '../../../domain/scoring/default-policy';
import type { Lookups } from '../../../domain/scoring/lookups';

const mailServers = createMailServers({ timeoutMs: 0 });

/**
 * What the analyses make of a transaction under the built-in policy when it is the first of its person: nobody else has its
 * values, there is no bureau, and DNS is not asked. `npm start` makes the same of it. A history of its own each time, so that
 * no scenario tells of another.
 */
export async function assessOffline(subject: Subject, known: Lookups = {}): Promise<Assessment> {
  const sources = { history: createMemoryHistory(), mailServers };
  // As in the service, a finder that fails finds nothing.
  const evidence = await gatherEvidence(sources, subject, defaultPolicy, () => undefined, known);
  return { evidence, policy: defaultPolicy };
}
