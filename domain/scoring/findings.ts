import type { Insight, Relevance, Variable } from '../analysis';
import type { Language } from '../language';
import { catalogue } from './catalogue';
import { isFiring, type Line } from './weigh';
import { ruleId } from './rule';

/** An insight as it is kept: its words come from the catalogue when it is told, but for those of a bureau. */
export interface Finding {
  code: string;
  relevance: Relevance;
  bureau?: { text: Record<Language, string>; relatedTo: Variable[] };
}

const known = new Map(catalogue.map((rule) => [ruleId(rule), rule]));

export function findingsOf(lines: readonly Line[]): Finding[] {
  return lines.filter(isFiring).map(({ id, rule: { code, relevance, text, relatedTo } }) => {
    if (known.has(id)) return { code, relevance };
    return { code, relevance, bureau: { text: { ...text }, relatedTo: [...relatedTo] } };
  });
}

/** SPEC section 2.7 in a language. A finding of a rule that is gone is left out: nothing is left to tell it by. */
export function toInsights(findings: readonly Finding[], language: Language): Insight[] {
  return findings.flatMap(({ code, relevance, bureau }): Insight[] => {
    const rule = known.get(ruleId({ code, relevance }));
    const told = bureau ?? rule;
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
