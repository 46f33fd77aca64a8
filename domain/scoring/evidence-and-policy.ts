import type { Evidence } from './evidence';
import type { Policy } from './policy';

/** What a score is computed from: the evidence of a transaction, and the policy of its tenant. */
export interface EvidenceAndPolicy {
  evidence: Evidence;
  policy: Policy;
}
