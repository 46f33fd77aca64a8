import type { PersonFacts } from '../../../../domain/person-facts';
import { defaultPolicy } from '../../../../domain/scoring/default-policy';
import type { Evidence } from '../../../../domain/scoring/evidence';
import type { RuleId, Thresholds } from '../../../../domain/scoring/policy';
import type { RuleContext, RuleResult } from '../../../../domain/scoring/rule';

/** What is known in a case, beyond a document that tells nothing; thresholds are those of the default policy. */
export interface Known extends Partial<Evidence> {
  facts?: PersonFacts;
  thresholds?: Partial<Thresholds>;
}

/** The cases that every rule has, at least one of each kind. */
export interface Cases {
  /** The finding holds, with this strength. */
  fires: [Known, RuleResult][];
  /** Enough is known, and the finding does not hold. */
  quiet: [Known, RuleResult['details']][];
  /**
   * Too little is known: the rule sees nothing. What the person did is always known, so rules of Confirmacao see here
   * that nothing was done.
   */
  blind: Known[];
}

export type CaseTable = Readonly<Record<RuleId, Cases>>;

/** The words in which rules tell what they saw, beside numbers: none of them is of a person. */
export const allowedText: readonly string[] = [
  ...['CPF', 'CNPJ', 'right', 'wrong', 'mobile', 'landline', 'unknown', 'sound', 'odd', 'found', 'none'],
  ...['below', 'within', 'above', 'Approved', 'Rejected', 'Inconclusive'],
];

/** What a rule looks at in a case. */
export function contextOf({ facts = {}, thresholds, ...evidence }: Known): RuleContext {
  const document = { kind: 'unknown', checkDigits: 'right', repeated: false, alphanumeric: false } as const;
  return { evidence: { document, ...evidence }, facts, thresholds: { ...defaultPolicy.thresholds, ...thresholds } };
}
