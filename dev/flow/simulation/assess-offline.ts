import { createMailServers } from '../../../scoring/evidence/email';
import { gatherEvidence } from '../../../scoring/gather-evidence';
import type { AssessedTransaction } from '../../../scoring/evidence/links';
import { createMemoryLinkGraph } from '../../score/memory-link-graph';
import type { EvidenceAndPolicy, Lookups } from '../../../domain/scoring/evidence';
import { defaultPolicy } from '../../../domain/scoring/policy';

const mailServers = createMailServers({ timeoutMs: 0 });

/**
 * Assesses the first transaction of a person with the built-in policy, without a bureau and without DNS lookups. The local stack (`npm
 * start`) gives the same result. Each call starts with an empty link graph, so one scenario cannot change the result of another scenario.
 */
export async function assessOffline(
  transaction: AssessedTransaction,
  lookups: Lookups = {},
): Promise<EvidenceAndPolicy> {
  const sources = { linkGraph: createMemoryLinkGraph(), mailServers };
  // If a search for evidence fails, its evidence is missing, as in the service. The error is ignored.
  const evidence = await gatherEvidence(sources, transaction, defaultPolicy, () => undefined, lookups);
  return { evidence, policy: defaultPolicy };
}
