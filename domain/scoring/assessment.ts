import { defaultPolicy } from './default-policy';
import type { Evidence } from './evidence';
import type { Policy } from './policy';

/** What was seen and how it counts. */
export interface Assessment {
  evidence: Evidence;
  policy: Policy;
}

/** Histories of before there were policies have evidence alone: the built-in policy applied. */
export function toAssessment(found: Assessment | Evidence): Assessment {
  return 'policy' in found ? found : { evidence: found, policy: defaultPolicy };
}
