import { analysisOf, analysisError, withReassessment, withScore } from '../../../domain/scoring/assess';
import { withAssessment } from '../../../domain/transactions/outcome';
import { limits } from '../../../domain/transactions/limits';
import { defaultPolicy } from '../../../domain/scoring/policy';
import type { Evidence } from '../../../domain/scoring/evidence';
import { explain } from '../../../domain/scoring/explain';
import { toInsights } from '../../../domain/scoring/score';
import { buildState, addMs } from '../../support/build';
import { evidenceWith, buildPairLink } from './build-basis';

const initialState = buildState();
const assessment = { evidence: evidenceWith(), policy: defaultPolicy };
const assessedState = withAssessment(initialState, assessment);
const laterTime = addMs(initialState.createdAt, 60_000);
const sharedPhone: Evidence['links'] = { pairs: [], countsByKind: { Phone: { documents: 8, denials: 0 } } };

test('a reassessment without changes returns the same state', () => {
  expect(withReassessment(assessedState, { ...assessment, evidence: evidenceWith() }, laterTime)).toBe(assessedState);
});

test('a change of the evidence that affects no score, rating or finding is not saved', () => {
  const links: Evidence['links'] = { pairs: [buildPairLink(['ZipCode', 'Name'], 3)], countsByKind: {} };
  expect(withReassessment(assessedState, { ...assessment, evidence: evidenceWith({ links }) }, laterTime)).toBe(
    assessedState,
  );
});

test('the response of a bureau is saved, even without findings', () => {
  const withBureau = { ...assessment, evidence: evidenceWith({ bureau: { findings: [] } }) };
  const nextState = withReassessment(assessedState, withBureau, laterTime);
  expect(nextState).toEqual({ ...assessedState, evidence: withBureau.evidence });
  expect(withReassessment(nextState, withBureau, laterTime)).toBe(nextState);
});

test('a changed score is appended, and so is each changed rating', () => {
  const nextState = withReassessment(
    assessedState,
    { ...assessment, evidence: evidenceWith({ links: sharedPhone }) },
    laterTime,
  );
  expect(nextState.scores).toHaveLength(2);
  expect(nextState.scores.slice(0, 1)).toEqual(assessedState.scores);
  expect(nextState.scores[1]).toMatchObject({ reason: 'Reassessed', createdAt: laterTime });
  expect(nextState.scores[1]?.value).toBeLessThan((assessedState.scores[0]?.value ?? 0) - 20);
  expect(nextState.findings).toContainEqual({ code: 'PH004', relevance: 'Negativo' });
  const newRatings = nextState.ratings.slice(assessedState.ratings.length);
  expect(newRatings.map(({ relatedTo, value, reason }) => [relatedTo.join('-'), value, reason])).toEqual([
    ['Document-Phone', 1, 'Reassessed'],
  ]);
  expect(
    withReassessment(nextState, { ...assessment, evidence: evidenceWith({ links: sharedPhone }) }, laterTime),
  ).toBe(nextState);
});

test('a reassessment with a new policy adds a score, even if the value of the score stays the same', () => {
  const policy = { ...defaultPolicy, version: 'next' };
  const nextState = withReassessment(assessedState, { ...assessment, policy }, laterTime);
  expect(nextState.scores.map(({ value }) => value)).toEqual([
    assessedState.scores[0]?.value,
    assessedState.scores[0]?.value,
  ]);
  expect(nextState.ratings).toEqual(assessedState.ratings);
  expect(explain(nextState, 'en')?.policy).toBe('next');
  expect(explain(nextState, 'en')?.earlier[0]?.policy).toBe(defaultPolicy.version);
});

describe('an explanation', () => {
  const confirmedState = withScore(
    { ...assessedState, facts: { phoneConfirmedAt: laterTime } },
    'PhoneChecked',
    laterTime,
  );

  it('an explanation has every rule of the policy with details; base, points and the correction `limit` add up to the score', () => {
    const explanation = explain(confirmedState, 'en');
    if (!explanation) throw new Error('There is no score.');
    expect(explanation).toMatchObject({
      reason: 'PhoneChecked',
      policy: defaultPolicy.version,
      base: defaultPolicy.base,
    });
    expect(explanation.rules).toHaveLength(Object.keys(defaultPolicy.points).length);
    const sum = explanation.rules.reduce((cents, { points }) => cents + Math.round(points * 100), 0);
    expect(Math.round(explanation.base * 100) + sum + Math.round(explanation.limit * 100)).toBe(
      Math.round(explanation.value * 100),
    );
    const findRule = (code: string, relevance: string) =>
      explanation.rules.find((one) => one.code === code && one.relevance === relevance);
    expect(findRule('CF001', 'Positivo')).toMatchObject({
      holds: true,
      points: defaultPolicy.points['CF001.Positivo'],
    });
    expect(findRule('DC001', 'Negativo')).toMatchObject({ holds: false, points: 0, weight: -40 });
    // The person has no card, so CD001 has no evidence.
    expect(findRule('CD001', 'Negativo')).toMatchObject({ holds: false, points: 0, evidence: null });
  });

  it('for each earlier score, an explanation has the rules that held', () => {
    const [initialScore] = explain(confirmedState, 'en')?.earlier ?? [];
    expect(initialScore).toMatchObject({ reason: 'Initial', value: assessedState.scores[0]?.value });
    expect(initialScore?.rules).not.toEqual([]);
    expect(initialScore?.rules.every(({ holds, description }) => holds && description !== '')).toBe(true);
    expect(initialScore?.rules.map(({ code }) => code)).not.toContain('CF001');
  });

  it('an explanation still has the parts of an old score after their rules were removed', () => {
    const [entry] = assessedState.scores;
    if (!entry?.breakdown) throw new Error('The score has no breakdown.');
    const oldScore = {
      ...entry,
      value: 12.5,
      breakdown: {
        policy: 'gone',
        base: 10,
        parts: [{ rule: 'ZZ001.Positivo' as const, weight: 2.5, points: 2.5, details: {} }],
        limit: 0,
      },
    };
    expect(explain({ ...assessedState, scores: [oldScore] }, 'en')).toMatchObject({
      value: 12.5,
      policy: 'gone',
      rules: [{ code: 'ZZ001', relevance: 'Positivo', points: 2.5, holds: true, description: '' }],
    });
  });

  it('an explanation shows whether a bureau responded', () => {
    const bureauOf = (evidence: Partial<Evidence>) =>
      explain(withAssessment(initialState, { ...assessment, evidence: evidenceWith(evidence) }), 'en')?.bureau;
    expect(bureauOf({})).toBeUndefined();
    expect(bureauOf({ bureauSilent: true })).toBe('silent');
    expect(bureauOf({ bureau: { findings: [] } })).toBe('answered');
  });

  it('an explanation does not exist before the first assessment', () => {
    expect(explain(initialState, 'en')).toBeUndefined();
  });
});

test('a score with different parts is appended even if its value stays at the limit 0', () => {
  const deniedState = withScore({ ...assessedState, facts: { deniedAt: laterTime } }, 'Denied', laterTime);
  const worseAssessment = {
    ...assessment,
    evidence: evidenceWith({ links: sharedPhone, document: { ...assessment.evidence.document, checkDigits: 'wrong' } }),
  };
  const [deniedScore, newScore] = withReassessment(deniedState, worseAssessment, laterTime).scores.slice(-2);
  const worstState = withReassessment(
    withReassessment(deniedState, worseAssessment, laterTime),
    { ...worseAssessment, evidence: { ...worseAssessment.evidence, phone: { allocated: false, line: 'mobile' } } },
    laterTime,
  );
  expect([deniedScore?.reason, newScore?.value, worstState.scores.at(-1)?.value]).toEqual(['Denied', 0, 0]);
  expect(explain(worstState, 'en')?.rules.find(({ code }) => code === 'PH002')).toMatchObject({ holds: true });
});

test('a transaction has a limited number of reassessments', () => {
  const [score] = assessedState.scores;
  if (!score) throw new Error('There is no score.');
  const stateAtLimit = { ...assessedState, scores: Array.from({ length: limits.analysisEntries }, () => score) };
  expect(analysisError(assessedState, 'scores')).toBeUndefined();
  expect(analysisError(stateAtLimit, 'scores')).toMatchObject({ type: 'AnalysisLimitReached' });
  expect(analysisError(assessedState, 'card')).toMatchObject({ type: 'CardMissing' });
});

describe('insights', () => {
  it.each(['pt-BR', 'en', 'es'] as const)('insights have texts in %s', (language) => {
    const insights = toInsights(assessedState.findings, undefined, language);
    expect(insights.length).toBeGreaterThan(0);
    for (const { description } of insights) expect(description.length).toBeGreaterThan(10);
    const otherLanguages = (['pt-BR', 'en', 'es'] as const).filter((other) => other !== language);
    for (const other of otherLanguages)
      expect(toInsights(assessedState.findings, undefined, other)).not.toEqual(insights);
  });

  it('insights from a bureau have the texts of the bureau', () => {
    const finding = {
      code: 'XA001',
      text: { 'pt-BR': 'Consta óbito.', en: 'A death is on record.', es: 'Consta defunción.' },
      relevance: 'Negativo',
      relatedTo: ['Document'],
    } as const;
    const findings = [{ ...finding, relatedTo: [...finding.relatedTo] }];
    const state = withAssessment(initialState, { ...assessment, evidence: evidenceWith({ bureau: { findings } }) });
    expect(toInsights(state.findings, state.evidence?.bureau?.findings, 'en')).toContainEqual({
      code: 'XA001',
      description: 'A death is on record.',
      type: 'Document',
      category: 'Cadastro',
      relevance: 'Negativo',
      relatedTo: ['Document'],
    });
  });

  it('the card check lists the insights about the card, with the score of the transaction', () => {
    const card = { brand: 'Visa', binKnown: true, ownerDocumentMatches: false };
    const state = withAssessment(initialState, { ...assessment, evidence: evidenceWith({ card }) });
    const cardCheck = analysisOf(state, 'card');
    expect(cardCheck.insights).toEqual([{ code: 'CD001', relevance: 'Negativo' }]);
    expect(cardCheck.scores?.map(({ value }) => value)).toEqual([state.scores[0]?.value]);
    expect(Object.keys(cardCheck.scores?.[0] ?? {})).toEqual(['value', 'reason', 'createdAt']);
  });
});
