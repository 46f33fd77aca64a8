import { analysisOf } from '../../../domain/scoring/analyses';
import { withAssessment } from '../../../domain/outcome';
import { limits } from '../../../domain/limits';
import { withScore, withReassessment } from '../../../domain/scoring/assess';
import { toAssessment } from '../../../domain/scoring/assessment';
import { defaultPolicy } from '../../../domain/scoring/default-policy';
import type { Evidence } from '../../../domain/scoring/evidence';
import { analysisPrecondition } from '../../../domain/scoring/analysis-precondition';
import { explain } from '../../../domain/scoring/explain';
import { toInsights } from '../../../domain/scoring/findings';
import { buildState, addMs } from '../../support/build';
import { evidenceWith, linked } from './build-basis';

const start = buildState();
const found = { evidence: evidenceWith(), policy: defaultPolicy };
const first = withAssessment(start, found);
const then = addMs(start.createdAt, 60_000);
const shared: Evidence['links'] = { pairs: [], spread: { Phone: { documents: 8, denials: 0 } } };

test('a reassessment without changes returns the same state', () => {
  expect(withReassessment(first, { ...found, evidence: evidenceWith() }, then)).toBe(first);
});

test('a change without a visible effect is not saved', () => {
  const links: Evidence['links'] = { pairs: [linked(['ZipCode', 'Name'], 3)], spread: {} };
  expect(withReassessment(first, { ...found, evidence: evidenceWith({ links }) }, then)).toBe(first);
});

test('the response of a bureau is saved, even without findings', () => {
  const answered = { ...found, evidence: evidenceWith({ bureau: { findings: [] } }) };
  const next = withReassessment(first, answered, then);
  expect(next).toEqual({ ...first, evidence: answered.evidence });
  expect(withReassessment(next, answered, then)).toBe(next);
});

test('a changed score is appended, and so is each changed pair', () => {
  const next = withReassessment(first, { ...found, evidence: evidenceWith({ links: shared }) }, then);
  expect(next.scores).toHaveLength(2);
  expect(next.scores.slice(0, 1)).toEqual(first.scores);
  expect(next.scores[1]).toMatchObject({ reason: 'Reassessed', createdAt: then });
  expect(next.scores[1]?.value).toBeLessThan((first.scores[0]?.value ?? 0) - 20);
  expect(next.insights).toContainEqual({ code: 'PH004', relevance: 'Negativo' });
  const appended = next.ratings.slice(first.ratings.length);
  expect(appended.map(({ relatedTo, value, reason }) => [relatedTo.join('-'), value, reason])).toEqual([
    ['Document-Phone', 1, 'Reassessed'],
  ]);
  expect(withReassessment(next, { ...found, evidence: evidenceWith({ links: shared }) }, then)).toBe(next);
});

test('a new policy adds a new score, even with the same value', () => {
  const policy = { ...defaultPolicy, version: 'next' };
  const next = withReassessment(first, { ...found, policy }, then);
  expect(next.scores.map(({ value }) => value)).toEqual([first.scores[0]?.value, first.scores[0]?.value]);
  expect(next.ratings).toEqual(first.ratings);
  expect(explain(next, 'en')?.policy).toBe('next');
  expect(explain(next, 'en')?.earlier[0]?.policy).toBe(defaultPolicy.version);
});

test('results from before policies existed count under the built-in one', () => {
  const state = withAssessment(start, toAssessment(evidenceWith()));
  expect(state).toEqual(first);
});

describe('an explanation', () => {
  const confirmed = withScore({ ...first, facts: { phone: then } }, 'PhoneChecked', then);

  it('has every rule of the policy with its details, and its sum is the score', () => {
    const explained = explain(confirmed, 'en');
    if (!explained) throw new Error('There is no score.');
    expect(explained).toMatchObject({
      reason: 'PhoneChecked',
      policy: defaultPolicy.version,
      base: defaultPolicy.base,
    });
    expect(explained.rules).toHaveLength(Object.keys(defaultPolicy.points).length);
    const sum = explained.rules.reduce((cents, { points }) => cents + Math.round(points * 100), 0);
    expect(Math.round(explained.base * 100) + sum + Math.round(explained.limit * 100)).toBe(
      Math.round(explained.value * 100),
    );
    const rule = (code: string, relevance: string) =>
      explained.rules.find((one) => one.code === code && one.relevance === relevance);
    expect(rule('CF001', 'Positivo')).toMatchObject({ holds: true, points: defaultPolicy.points['CF001.Positivo'] });
    expect(rule('DC001', 'Negativo')).toMatchObject({ holds: false, points: 0, weight: -40 });
    // The person has no card: the rule has no evidence, which is different from a rule that does not hold.
    expect(rule('CD001', 'Negativo')).toMatchObject({ holds: false, points: 0, evidence: null });
  });

  it('keeps the basis of each earlier score', () => {
    const [initial] = explain(confirmed, 'en')?.earlier ?? [];
    expect(initial).toMatchObject({ reason: 'Initial', value: first.scores[0]?.value });
    expect(initial?.rules.every(({ holds, description }) => holds && description !== '')).toBe(true);
    expect(initial?.rules.map(({ code }) => code)).not.toContain('CF001');
  });

  it("keeps the parts of a score that today's rules would not add", () => {
    const [entry] = first.scores;
    if (!entry?.breakdown) throw new Error('The score has no breakdown.');
    const old = {
      ...entry,
      value: 12.5,
      breakdown: {
        policy: 'gone',
        base: 10,
        parts: [{ rule: 'ZZ001.Positivo' as const, weight: 2.5, points: 2.5, details: {} }],
        limit: 0,
      },
    };
    expect(explain({ ...first, scores: [old] }, 'en')).toMatchObject({
      value: 12.5,
      policy: 'gone',
      rules: [{ code: 'ZZ001', relevance: 'Positivo', points: 2.5, holds: true, description: '' }],
    });
  });

  it('shows whether a bureau responded', () => {
    const bureauOf = (evidence: Partial<Evidence>) =>
      explain(withAssessment(start, { ...found, evidence: evidenceWith(evidence) }), 'en')?.bureau;
    expect(bureauOf({})).toBeUndefined();
    expect(bureauOf({ bureauSilent: true })).toBe('silent');
    expect(bureauOf({ bureau: { findings: [] } })).toBe('answered');
  });

  it('does not exist before the first assessment', () => {
    expect(explain(start, 'en')).toBeUndefined();
  });
});

test('a score with different parts is appended even if its limited value is the same', () => {
  const denied = withScore({ ...first, facts: { denied: then } }, 'Denied', then);
  const wrong = {
    ...found,
    evidence: evidenceWith({ links: shared, document: { ...found.evidence.document, checkDigits: 'wrong' } }),
  };
  const [zero, again] = withReassessment(denied, wrong, then).scores.slice(-2);
  const worse = withReassessment(
    withReassessment(denied, wrong, then),
    { ...wrong, evidence: { ...wrong.evidence, phone: { allocated: false, line: 'mobile' } } },
    then,
  );
  expect([zero?.reason, again?.value, worse.scores.at(-1)?.value]).toEqual(['Denied', 0, 0]);
  expect(explain(worse, 'en')?.rules.find(({ code }) => code === 'PH002')).toMatchObject({ holds: true });
});

test('a transaction has a limited number of reassessments', () => {
  const [score] = first.scores;
  if (!score) throw new Error('There is no score.');
  const many = { ...first, scores: Array.from({ length: limits.analysisEntries }, () => score) };
  expect(analysisPrecondition(first, 'scores')).toBeUndefined();
  expect(analysisPrecondition(many, 'scores')).toMatchObject({ type: 'AnalysisLimitReached' });
  expect(analysisPrecondition(first, 'card')).toMatchObject({ type: 'CardMissing' });
});

describe('insights', () => {
  it.each(['pt-BR', 'en', 'es'] as const)('have texts in %s', (language) => {
    const translated = toInsights(first.insights, undefined, language);
    expect(translated.length).toBeGreaterThan(0);
    for (const { description } of translated) expect(description.length).toBeGreaterThan(10);
    const others = (['pt-BR', 'en', 'es'] as const).filter((other) => other !== language);
    for (const other of others) expect(toInsights(first.insights, undefined, other)).not.toEqual(translated);
  });

  it('of a bureau have their own texts', () => {
    const finding = {
      code: 'XA001',
      text: { 'pt-BR': 'Consta óbito.', en: 'A death is on record.', es: 'Consta defunción.' },
      relevance: 'Negativo',
      relatedTo: ['Document'],
    } as const;
    const findings = [{ ...finding, relatedTo: [...finding.relatedTo] }];
    const state = withAssessment(start, { ...found, evidence: evidenceWith({ bureau: { findings } }) });
    expect(toInsights(state.insights, state.evidence?.bureau?.findings, 'en')).toContainEqual({
      code: 'XA001',
      description: 'A death is on record.',
      type: 'Document',
      category: 'Cadastro',
      relevance: 'Negativo',
      relatedTo: ['Document'],
    });
  });

  it('of the card equal those of the card check, with the score of the transaction', () => {
    const card = { brand: 'Visa', binKnown: true, ownerDocumentMatches: false };
    const state = withAssessment(start, { ...found, evidence: evidenceWith({ card }) });
    const checked = analysisOf(state, 'card');
    expect(checked.insights).toEqual([{ code: 'CD001', relevance: 'Negativo' }]);
    expect(checked.scores?.map(({ value }) => value)).toEqual([state.scores[0]?.value]);
    expect(Object.keys(checked.scores?.[0] ?? {})).toEqual(['value', 'reason', 'createdAt']);
  });
});
