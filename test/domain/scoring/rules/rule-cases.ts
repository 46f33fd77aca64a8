import type { PersonFacts } from '../../../../domain/person-facts';
import { defaultPolicy } from '../../../../domain/scoring/default-policy';
import type { Evidence } from '../../../../domain/scoring/evidence';
import type { RuleId, Thresholds } from '../../../../domain/scoring/policy';
import type { RuleContext, RuleResult } from '../../../../domain/scoring/rule';

/** The evidence of a case. `buildContext` adds what is missing: a document without findings, and the thresholds of the default policy. */
export interface RuleInput extends Partial<Evidence> {
  facts?: PersonFacts;
  thresholds?: Partial<Thresholds>;
}

/** The cases that every rule has, at least one of each kind. */
export interface RuleCases {
  /** The rule holds, with this strength. */
  holds: [RuleInput, RuleResult][];
  /** There is enough evidence, and the rule does not hold. */
  doesNotHold: [RuleInput, RuleResult['details']][];
  /**
   * There is not enough evidence. For rules of the category Confirmacao, which use facts in place of evidence, there are no facts.
   */
  withoutEvidence: RuleInput[];
}

/** The cases of several rules, by the id of the rule. */
export type CaseTable = Readonly<Record<RuleId, RuleCases>>;

/** All texts that details of rules may contain. None of them is personal data. */
export const allowedTexts: readonly string[] = [
  ...['CPF', 'CNPJ', 'right', 'wrong', 'mobile', 'landline', 'unknown', 'valid', 'invalid', 'found', 'none'],
  ...['below', 'within', 'above', 'Approved', 'Rejected', 'Inconclusive'],
];

/** Builds the input of a rule for a case. */
export function buildContext({ facts = {}, thresholds, ...evidence }: RuleInput): RuleContext {
  const document = { kind: 'unknown', checkDigits: 'right', repeated: false, alphanumeric: false } as const;
  return { evidence: { document, ...evidence }, facts, thresholds: { ...defaultPolicy.thresholds, ...thresholds } };
}
