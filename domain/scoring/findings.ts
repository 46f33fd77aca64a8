import type { Insight, Relevance } from '../analysis';
import type { Language } from '../language';
import { catalogue } from './catalogue';
import type { BureauFinding } from './evidence';
import { isFiring, type ScorecardLine } from './evaluate-rules';
import { ruleId } from './rule';

/** An insight as stored. Its text comes from the catalogue or the bureau. */
export interface Finding {
  code: string;
  relevance: Relevance;
}

const known = new Map(catalogue.map((rule) => [ruleId(rule), rule]));

export function findingsOf(lines: readonly ScorecardLine[]): Finding[] {
  return lines.filter(isFiring).map(({ rule: { code, relevance } }) => ({ code, relevance }));
}

/** SPEC section 2.7 in a language. A finding without a known text is omitted. */
export function toInsights(
  findings: readonly Finding[],
  bureau: readonly BureauFinding[] | undefined,
  language: Language,
): Insight[] {
  return findings.flatMap((finding): Insight[] => {
    const { code, relevance } = finding;
    const rule = known.get(ruleId(finding));
    const told = rule ?? bureau?.find((one) => ruleId(one) === ruleId(finding));
    if (!told) return [];
    return [
      {
        code,
        description: told.text[language],
        type: told.relatedTo.join('-'),
        category: rule?.category ?? 'Cadastro',
        relevance,
        relatedTo: [...told.relatedTo],
      },
    ];
  });
}
