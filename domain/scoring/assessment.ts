import { defaultPolicy } from './default-policy';
import type { Evidence } from './evidence';
import type { Policy } from './policy';

/** The evidence and the policy that evaluates it. */
export interface Assessment {
  evidence: Evidence;
  policy: Policy;
}

/** The assessment that a history recorded. Old histories have only the evidence, because they used the built-in policy. */
export function toAssessment(recorded: Assessment | Evidence): Assessment {
  return 'policy' in recorded ? recorded : { evidence: recorded, policy: defaultPolicy };
}
