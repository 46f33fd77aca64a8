import type { Insight, Relevance } from '../analysis-results';
import type { Language } from '../language';
import { catalogue } from './catalogue';
import type { BureauFinding } from './evidence';
import { ruleHolds, type EvaluatedRule } from './evaluate-rules';
import { ruleId } from './rule';

/** An insight as stored. Its text comes from the catalogue or the bureau. */
export interface Finding {
  code: string;
  relevance: Relevance;
}

const rulesById = new Map(catalogue.map((rule) => [ruleId(rule), rule]));

/** The findings of the rules that hold. */
export function findingsOf(evaluatedRules: readonly EvaluatedRule[]): Finding[] {
  return evaluatedRules.filter(ruleHolds).map(({ rule: { code, relevance } }) => ({ code, relevance }));
}

/** The findings as insights of SPEC, the external specification, with texts in a language. A finding without a known text is omitted. */
export function toInsights(
  findings: readonly Finding[],
  bureau: readonly BureauFinding[] | undefined,
  language: Language,
): Insight[] {
  return findings.flatMap((finding): Insight[] => {
    const { code, relevance } = finding;
    const rule = rulesById.get(ruleId(finding));
    const textSource = rule ?? bureau?.find((one) => ruleId(one) === ruleId(finding));
    if (!textSource) return [];
    return [
      {
        code,
        description: textSource.text[language],
        type: textSource.relatedTo.join('-'),
        category: rule?.category ?? 'Cadastro',
        relevance,
        relatedTo: [...textSource.relatedTo],
      },
    ];
  });
}
