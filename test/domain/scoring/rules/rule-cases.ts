import type { PersonFacts } from '../../../../domain/transactions/input';
import { defaultPolicy, type RuleId, type Thresholds } from '../../../../domain/scoring/policy';
import type { Evidence } from '../../../../domain/scoring/evidence';
import type { RuleContext, RuleResult } from '../../../../domain/scoring/rule';

/** If they are missing, `buildContext` adds a document without findings, and the default thresholds. */
export interface RuleInput extends Partial<Evidence> {
  facts?: PersonFacts;
  thresholds?: Partial<Thresholds>;
}

/** Every rule has at least one case of each kind. */
export interface RuleCases {
  holds: [RuleInput, RuleResult][];
  /** There is enough evidence, but the rule does not hold. */
  doesNotHold: [RuleInput, RuleResult['details']][];
  /** There is not enough evidence or, for rules of the category Confirmacao, there are no facts. */
  withoutEvidence: RuleInput[];
}

export type CaseTable = Readonly<Record<RuleId, RuleCases>>;

/** The texts that details may contain. None is personal data. */
export const allowedTexts: readonly string[] = [
  ...['CPF', 'CNPJ', 'right', 'wrong', 'mobile', 'landline', 'unknown', 'valid', 'invalid', 'found', 'none'],
  ...['below', 'within', 'above', 'Approved', 'Rejected', 'Inconclusive'],
];

export function buildContext({ facts = {}, thresholds, ...evidence }: RuleInput): RuleContext {
  const document = { kind: 'unknown', checkDigits: 'right', repeated: false, alphanumeric: false } as const;
  return { evidence: { document, ...evidence }, facts, thresholds: { ...defaultPolicy.thresholds, ...thresholds } };
}
