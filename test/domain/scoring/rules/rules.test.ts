import { catalogue } from '../../../../domain/scoring/catalogue';
import { type Rule, ruleId } from '../../../../domain/scoring/rule';
import { cardCases } from './card.cases';
import { confirmationCases } from './confirmation.cases';
import { documentCases } from './document.cases';
import { emailCases } from './email.cases';
import { linkCases } from './link.cases';
import { personCases } from './person.cases';
import { phoneCases } from './phone.cases';
import { type CaseTable, contextOf, allowedText } from './rule-cases';

const tables: readonly CaseTable[] = [
  documentCases,
  phoneCases,
  emailCases,
  personCases,
  cardCases,
  linkCases,
  confirmationCases,
];

const casesOf = new Map(tables.flatMap((table) => Object.entries(table)));

it('every rule has a case where it holds, one where it does not hold, and one without evidence', () => {
  const complete = [...casesOf].filter(([, { fires, quiet, blind }]) => fires[0] && quiet[0] && blind[0]);
  expect(complete.map(([id]) => id).toSorted()).toEqual(catalogue.map(ruleId).toSorted());
});

describe.each(catalogue.map((rule): [string, Rule] => [ruleId(rule), rule]))('%s', (id, rule) => {
  const { fires = [], quiet = [], blind = [] } = casesOf.get(id) ?? {};

  it('holds in its positive cases', () => {
    for (const [known, result] of fires) {
      const { strength, details } = rule.evaluate(contextOf(known)) ?? {};
      expect({ known, strength, details }).toEqual({
        known,
        strength: expect.closeTo(result.strength, 10),
        details: result.details,
      });
      expect(strength).toBeGreaterThan(0);
    }
  });

  it('does not hold in its negative cases', () => {
    for (const [known, saw] of quiet)
      expect({ known, seen: rule.evaluate(contextOf(known)) }).toEqual({ known, seen: { strength: 0, details: saw } });
  });

  it('does not hold without evidence', () => {
    for (const known of blind) {
      const result = rule.evaluate(contextOf(known));
      if (rule.category === 'Confirmacao')
        expect({ known, strength: result?.strength }).toEqual({ known, strength: 0 });
      else expect({ known, seen: result }).toEqual({ known, seen: undefined });
    }
  });

  it('has no personal data in its details', () => {
    const texts = fires
      .flatMap(([, { details }]) => Object.values(details))
      .filter((value) => typeof value === 'string');
    for (const word of texts) expect(allowedText).toContain(word);
  });
});

it('no two rules of one code hold at once, and no strength is above 1', () => {
  const cases = [...casesOf.values()].flatMap(({ fires, quiet, blind }) => [
    ...[...fires, ...quiet].map(([known]) => known),
    ...blind,
  ]);
  for (const known of cases) {
    const seen = catalogue.map((rule) => ({
      code: rule.code,
      strength: rule.evaluate(contextOf(known))?.strength ?? 0,
    }));
    const codes = seen.filter(({ strength }) => strength > 0).map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const { strength } of seen) expect(strength >= 0 && strength <= 1).toBe(true);
  }
});
