import { createMailServers } from '../../../activities/scoring/dns-mail-servers';
import { gatherEvidence } from '../../../activities/scoring/gather-evidence';
import type { AssessedTransaction } from '../../../activities/scoring/link-graph';
import { createMemoryLinkGraph } from '../../score/memory-link-graph';
import type { EvidenceAndPolicy } from '../../../domain/scoring/evidence-and-policy';
import { defaultPolicy } from '../../../domain/scoring/default-policy';
import type { Lookups } from '../../../domain/scoring/lookups';

const mailServers = createMailServers({ timeoutMs: 0 });

/**
 * Assesses the first transaction of a person under the built-in policy, with no bureau and no DNS lookups. `npm start` gives
 * the same result. Each call has an empty link graph, so that scenarios stay independent.
 */
export async function assessOffline(
  transaction: AssessedTransaction,
  lookups: Lookups = {},
): Promise<EvidenceAndPolicy> {
  const sources = { linkGraph: createMemoryLinkGraph(), mailServers };
  // As in the service, a failed search for evidence finds nothing.
  const evidence = await gatherEvidence(sources, transaction, defaultPolicy, () => undefined, lookups);
  return { evidence, policy: defaultPolicy };
}
