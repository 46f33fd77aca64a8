import { catalogue } from '../../../../domain/scoring/score';
import { type Rule, ruleId } from '../../../../domain/scoring/rule';
import { cardCases } from './card.cases';
import { confirmationCases } from './confirmation.cases';
import { documentCases } from './document.cases';
import { emailCases } from './email.cases';
import { linkCases } from './link.cases';
import { personCases } from './person.cases';
import { phoneCases } from './phone.cases';
import { type CaseTable, buildContext, allowedTexts } from './rule-cases';

const tables: readonly CaseTable[] = [
  documentCases,
  phoneCases,
  emailCases,
  personCases,
  cardCases,
  linkCases,
  confirmationCases,
];

const casesByRule = new Map(tables.flatMap((table) => Object.entries(table)));

it('every rule has a case where it holds, one where it does not hold, and one without evidence', () => {
  const completeRules = [...casesByRule].filter(
    ([, { holds, doesNotHold, withoutEvidence }]) => holds[0] && doesNotHold[0] && withoutEvidence[0],
  );
  expect(completeRules.map(([id]) => id).toSorted()).toEqual(catalogue.map(ruleId).toSorted());
});

describe.each(catalogue.map((rule): [string, Rule] => [ruleId(rule), rule]))('%s', (id, rule) => {
  const { holds = [], doesNotHold = [], withoutEvidence = [] } = casesByRule.get(id) ?? {};

  it('a rule holds in its cases of `holds`', () => {
    for (const [evidence, result] of holds) {
      const { strength, details } = rule.evaluate(buildContext(evidence)) ?? {};
      expect({ evidence, strength, details }).toEqual({
        evidence,
        strength: expect.closeTo(result.strength, 10),
        details: result.details,
      });
      expect(strength).toBeGreaterThan(0);
    }
  });

  it('a rule does not hold in its cases of `doesNotHold`', () => {
    for (const [evidence, details] of doesNotHold)
      expect({ evidence, result: rule.evaluate(buildContext(evidence)) }).toEqual({
        evidence,
        result: { strength: 0, details },
      });
  });

  it('a rule does not hold without evidence', () => {
    for (const evidence of withoutEvidence) {
      const result = rule.evaluate(buildContext(evidence));
      if (rule.category === 'Confirmacao')
        expect({ evidence, strength: result?.strength }).toEqual({ evidence, strength: 0 });
      else expect({ evidence, result }).toEqual({ evidence, result: undefined });
    }
  });

  it('a rule has no personal data in its details', () => {
    const texts = holds
      .flatMap(([, { details }]) => Object.values(details))
      .filter((value) => typeof value === 'string');
    for (const text of texts) expect(allowedTexts).toContain(text);
  });
});

it('no two rules of one code hold at once, and no strength is above 1', () => {
  const cases = [...casesByRule.values()].flatMap(({ holds, doesNotHold, withoutEvidence }) => [
    ...[...holds, ...doesNotHold].map(([evidence]) => evidence),
    ...withoutEvidence,
  ]);
  for (const evidence of cases) {
    const results = catalogue.map((rule) => ({
      code: rule.code,
      strength: rule.evaluate(buildContext(evidence))?.strength ?? 0,
    }));
    const codes = results.filter(({ strength }) => strength > 0).map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const { strength } of results) expect(strength >= 0 && strength <= 1).toBe(true);
  }
});
