import { array, assert, constantFrom, property, shuffledSubarray, stringMatching } from 'fast-check';
import { motherEvidence, nameEvidence } from '../../scoring/evidence/person';
import { nameLikeness } from '../../scoring/names';
import { namesWithoutParticles } from '../../domain/scoring/name-words';

const person = { documentType: 'CPF', document: '52998224725' };
const company = { documentType: 'cnpj', document: '11222333000181' };

describe('the words of a name', () => {
  it.each([
    ['João Carlos da Silva', 'joao carlos silva'],
    ['  MARIA  DAS DORES E SOUZA ', 'maria dores souza'],
    ["Sant'Anna D’Ávila", 'santanna davila'],
    ['Ana-Paula O. Lima', 'ana paula o lima'],
    ['Jo\u0061\u0303o', 'joao'],
    ['123 —', ''],
  ])('the words of the name %s are "%s"', (name, words) => {
    expect(namesWithoutParticles(name).join(' ')).toBe(words);
  });
});

describe('a name', () => {
  const find = (name: string) => nameEvidence({ ...person, name });

  it.each([
    ['João Carlos da Silva', 3],
    ["Ana-Paula Sant'Anna", 3],
    ['José R. Lima Jr.', 4],
    ['D’Ávila', 1],
    ['Anna Villela', 2],
    ['Łukasz Đorđević', 2],
  ])('the name %s is usual, and has %i words', (name, words) => {
    expect(find(name)).toEqual({ words, unusual: false });
  });

  it.each(['J0ão Silva', 'João Silva 2', 'João @Silva', 'João_Silva', 'Joãoo da Sssilva', 'AAA', 'João, Silva', '😀'])(
    'the name %s is unusual',
    (name) => {
      expect(find(name)?.unusual).toBe(true);
    },
  );

  it('a name gives no evidence if it belongs to a company or is missing', () => {
    expect(nameEvidence({ ...company, name: '3M do Brasil & Cia.' })).toBeUndefined();
    expect(find('  ')).toBeUndefined();
    expect(nameEvidence(person)).toBeUndefined();
  });
});

describe("a person's name and the mother's name", () => {
  const find = (name: string, mothersName: string) => motherEvidence({ ...person, name, mothersName });

  it.each([
    ['Maria de Souza Lima', 'MARIA SOUZA LIMA'],
    ['João Silva', 'Silva João'],
    ['José Sant’Anna', "JOSE SANT'ANNA"],
  ])('%s and %s name the same person', (name, mothersName) => {
    expect(find(name, mothersName)?.sameAsPerson).toBe(true);
  });

  it.each([
    ['João Pereira Silva', 'Maria Pereira Silva', true],
    ['João Pereira Silva', 'Maria Costa Pereira', true],
    ['João Silva', 'Maria Silva Costa', true],
    ['João da Silva Neto', 'Maria da Silva', true],
    ['Maria Souza', 'Mariana Souza', true],
    ['Maria Aparecida Pereira Lima Souza', 'Mariana Aparecida Pereira Lima Souza', true],
    ['Ana Souza', 'Anna Souza', true],
    ['João Silva', 'Maria Souza', false],
    ['Ana Maria Souza', 'Rosa Maria Lima', false],
    ['João Silva Neto', 'Maria Souza Neto', false],
    ['Silva Costa', 'Maria Silva', false],
    ['João', 'Maria Silva', false],
    ['João Silva', 'Maria', false],
  ])('%s and %s name different persons, with a common family name: %s', (name, mothersName, sharesFamilyName) => {
    expect(find(name, mothersName)).toEqual({ sameAsPerson: false, sharesFamilyName });
  });

  it('the names of a person and of the mother give no evidence for a company, or if one name is missing', () => {
    expect(motherEvidence({ ...company, name: 'João Silva', mothersName: 'João Silva' })).toBeUndefined();
    expect(motherEvidence({ ...person, name: 'João Silva' })).toBeUndefined();
    expect(motherEvidence({ ...person, mothersName: 'Maria Silva' })).toBeUndefined();
    expect(find('João Silva', '—')).toBeUndefined();
  });
});

describe('similarity of names', () => {
  const fullName = 'João Carlos Pereira da Silva';

  it.each(['JOAO CARLOS PEREIRA DA SILVA', 'silva pereira carlos joão', 'João  Carlos  Pereira Silva'])(
    'the similarity of %s and the full name is 1',
    (other) => {
      expect(nameLikeness(fullName, other)).toBe(1);
    },
  );

  it.each(['João Silva', 'J C P Silva', 'J Silva', 'João C P Silva', 'Joao Carlo Pereira Silva', 'João Pereira'])(
    'the similarity of %s and the full name is high',
    (other) => {
      const likeness = nameLikeness(fullName, other);
      expect(likeness).toBeGreaterThanOrEqual(0.75);
      expect(likeness).toBeLessThan(1);
    },
  );

  it.each(['João', 'Maria Silva', 'M Silva', 'Ana Paula Oliveira', 'X', 'Kleber Freitas Gomes', 'João Souza'])(
    'the similarity of %s and the full name is low',
    (other) => {
      expect(nameLikeness(fullName, other)).toBeLessThan(0.65);
    },
  );

  it('in the similarity of names, an initial counts less than the full name, and more than a different initial', () => {
    const [full, initial, other] = ['João Carlos', 'João C', 'João M'].map((left) => nameLikeness(left, 'João Carlos'));
    expect(full).toBeGreaterThan(initial ?? NaN);
    expect(initial).toBeGreaterThan(other ?? NaN);
  });

  it('a name of one word has the similarity 1 to itself', () => {
    expect(nameLikeness('Pelé', 'PELE')).toBe(1);
  });

  it('the similarity of names is unknown without letters', () => {
    expect(nameLikeness('', 'João')).toBeUndefined();
    expect(nameLikeness('João', '123')).toBeUndefined();
    expect(nameLikeness('de', 'João')).toBeUndefined();
  });

  it('the similarity is the same for every order of words, even if several words are equally similar', () => {
    const [one, other] = ['João José', 'José João'].map((left) => nameLikeness(left, 'J Joana'));
    expect(one).toBe(other);
  });

  const word = stringMatching(/^[a-c]{1,7}$/);
  const words = array(word, { minLength: 1, maxLength: 6 });

  it('the similarity is symmetric and from 0 to 1, however alike the words are', () => {
    assert(
      property(words, words, (left, right) => {
        const likeness = nameLikeness(left.join(' '), right.join(' '));
        expect(likeness).toBeGreaterThanOrEqual(0);
        expect(likeness).toBeLessThanOrEqual(1);
        expect(nameLikeness(right.join(' '), left.join(' '))).toBe(likeness);
      }),
      { numRuns: 1000 },
    );
  });

  it('the similarity ignores the order of words, accents and letter case', () => {
    const names = ['Ágata', 'Márcio', 'Conceição', 'Souza', 'J', 'Lima', 'Sousa', 'Limma'];
    const anyOrder = shuffledSubarray(names, { minLength: names.length });
    assert(
      property(anyOrder, anyOrder, constantFrom(1, 3, 5, 8), words, (one, other, length, otherWords) => {
        const prefix = one.slice(0, length);
        const reordered = other.filter((name) => prefix.includes(name));
        const plainName = reordered.join(' ').normalize('NFD').replace(/\p{M}/gu, '').toUpperCase();
        expect(nameLikeness(prefix.join(' '), plainName)).toBe(1);
        expect(nameLikeness(plainName, otherWords.join(' '))).toBe(
          nameLikeness(prefix.join(' '), otherWords.join(' ')),
        );
      }),
    );
  });
});
