import type { Evidence } from './evidence';
import type { Policy } from './policy';

/** What the worker collects for a score. The third part of the input, the facts, is in the state. */
export interface EvidenceAndPolicy {
  evidence: Evidence;
  policy: Policy;
}
