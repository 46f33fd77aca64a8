import type { DataKind } from '../../../domain/scoring/results';
import { languages } from '../../../domain/transactions/input';
import { catalogue, defineCatalogue } from '../../../domain/scoring/score';
import { ruleId } from '../../../domain/scoring/rule';

const rulesById = catalogue.map((rule) => [ruleId(rule), rule] as const);

const documentKind: DataKind = 'Document';

it('the catalogue has exactly the rules that this test lists, in the same order', () => {
  expect(rulesById.map(([id]) => id).join(' ')).toBe(
    [
      'DC001.Negativo DC002.Negativo DC003.Positivo DC003.Neutro DC004.Neutro DC005.Negativo',
      'PH001.Positivo PH001.Negativo PH002.Negativo PH003.Neutro PH004.Negativo PH005.Negativo',
      'EM001.Negativo EM002.Negativo EM003.Positivo EM004.Negativo EM005.Negativo EM006.Negativo CP001.Negativo CP002.Neutro',
      'NM001.Neutro NM002.Positivo NM003.Negativo BD001.Negativo',
      'CD001.Positivo CD001.Negativo CD002.Neutro CD003.Negativo CD004.Positivo CD004.Negativo CD005.Negativo',
      'SS001.Negativo ID001.Negativo LK001.Positivo LK002.Positivo LK003.Positivo LK004.Negativo LK005.Negativo',
      'CF001.Positivo CF002.Positivo CF003.Negativo CF004.Positivo CF004.Negativo',
    ].join(' '),
  );
});

it('a catalogue with two rules of the same id is rejected', () => {
  expect(() => defineCatalogue(catalogue, catalogue.slice(3, 4))).toThrow('Two rules share the id DC003.Neutro.');
  expect(defineCatalogue(catalogue.slice(0, 2), catalogue.slice(2))).toEqual(catalogue);
});

describe.each(rulesById)('%s', (_, { code, category, relatedTo, text }) => {
  it('a rule has a code of two letters and three digits that does not begin with X, because codes of bureaus begin with X', () => {
    expect(code).toMatch(/^[A-WYZ][A-Z]\d{3}$/);
  });

  it('a rule has a text of one sentence in every language', () => {
    for (const language of languages) expect(text[language]).toMatch(/^\p{Lu}[^.!?]+\.$/u);
    expect(new Set(languages.map((language) => text[language])).size).toBe(languages.length);
  });

  it('a rule relates to distinct kinds of data, the document first', () => {
    expect(relatedTo.length).toBeGreaterThan(0);
    expect(new Set(relatedTo).size).toBe(relatedTo.length);
    if (relatedTo.includes(documentKind)) expect(relatedTo[0]).toBe(documentKind);
  });

  it('a rule has the category of its code', () => {
    const defaultCategory = ['PH004', 'PH005', 'EM004', 'EM006', 'DC005'].includes(code) ? 'Velocidade' : 'Cadastro';
    const categories = { LK: 'Vinculo', CD: 'Cartao', SS: 'Sessao', ID: 'Sessao', CF: 'Confirmacao' };
    expect(category).toBe(new Map(Object.entries(categories)).get(code.slice(0, 2)) ?? defaultCategory);
  });
});

it('the catalogue has no duplicate texts, so that each finding is recognizable', () => {
  for (const language of languages)
    expect(new Set(catalogue.map(({ text }) => text[language])).size).toBe(catalogue.length);
});
