import type { Relevance, DataKind } from '../analysis-results';
import type { PersonFacts } from '../person-facts';
import type { Language } from '../language';
import type { Evidence } from './evidence';
import type { RuleId, Thresholds } from './policy';

/** The input of a rule. */
export interface RuleContext {
  evidence: Evidence;
  facts: PersonFacts;
  thresholds: Thresholds;
}

/** The result of a rule. */
export interface RuleResult {
  /** From 0, if the rule does not hold, to 1, if it holds fully. The points of the rule are multiplied by the strength. */
  strength: number;
  /** The values that the rule used, for explanations. No personal data. */
  details: Readonly<Record<string, string | number | boolean>>;
}

/** One rule of the score. If the rule holds, callers also get it as an insight. */
export interface Rule {
  /** Two letters and three digits. The code never changes. Two rules may have the same code if they differ in relevance. */
  code: string;
  relevance: Relevance;
  /**
   * The kind of data that the insight is about. Callers see these Portuguese words: registration data, velocity (a value in many
   * transactions), link to other transactions, confirmation, card, session.
   */
  category: 'Cadastro' | 'Velocidade' | 'Vinculo' | 'Confirmacao' | 'Cartao' | 'Sessao';
  relatedTo: readonly DataKind[];
  text: Readonly<Record<Language, string>>;
  /** The result of the rule. Undefined if the evidence for the rule is missing. */
  evaluate(context: RuleContext): RuleResult | undefined;
}

/** The id of a rule: its code and its relevance, such as PH001.Positivo. */
export function ruleId({ code, relevance }: Pick<Rule, 'code' | 'relevance'>): RuleId {
  return `${code}.${relevance}`;
}

/** The result of a rule that either holds fully or does not hold. */
export function fullOrNoPoints(condition: boolean, details: RuleResult['details']): RuleResult {
  return { strength: condition ? 1 : 0, details };
}
