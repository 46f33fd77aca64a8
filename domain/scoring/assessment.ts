import type { Evidence } from './evidence';
import type { Policy } from './policy';

/** The evidence and the policy that evaluates it. */
export interface Assessment {
  evidence: Evidence;
  policy: Policy;
}
