import { createHash } from 'node:crypto';
import { catalogue } from '../../../../domain/scoring/score';
import { defaultPolicy } from '../../../../domain/scoring/policy';
import { type Rule, ruleId } from '../../../../domain/scoring/rule';

const pointsOf = (rule: Pick<Rule, 'code' | 'relevance'>) => defaultPolicy.points[ruleId(rule)] ?? Number.NaN;

it('the built-in policy lists exactly the rules of the catalogue, in its order', () => {
  expect(Object.keys(defaultPolicy.points)).toEqual(catalogue.map(ruleId));
});

it('the built-in policy gives positive, zero or negative points according to the relevance of a rule', () => {
  const signs = { Positivo: 1, Neutro: 0, Negativo: -1 };
  for (const rule of catalogue)
    expect([ruleId(rule), Math.sign(pointsOf(rule))]).toEqual([ruleId(rule), signs[rule.relevance]]);
  expect(defaultPolicy.bureau.Positivo).toBeGreaterThan(0);
  expect(defaultPolicy.bureau.Negativo).toBeLessThan(0);
});

it('the built-in policy is plain data that can be saved with a state', () => {
  expect(JSON.parse(JSON.stringify(defaultPolicy))).toEqual(defaultPolicy);
});

it('the built-in policy gives a denial more weight than confirmations by phone and e-mail together', () => {
  const denied = pointsOf({ code: 'CF003', relevance: 'Negativo' });
  const phone = pointsOf({ code: 'CF001', relevance: 'Positivo' });
  const email = pointsOf({ code: 'CF002', relevance: 'Positivo' });
  expect(defaultPolicy.base + denied + phone + email).toBeLessThan(defaultPolicy.base);
});

it('the built-in policy gets a new version whenever one of its numbers changes, because explanations name the version', () => {
  const { version, ...numbers } = defaultPolicy;
  const digest = createHash('sha256').update(JSON.stringify(numbers)).digest('hex').slice(0, 16);
  expect([version, digest]).toEqual(['2026-11-21', 'bdcfb94e20affb3b']);
});
