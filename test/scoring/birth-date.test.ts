import { assert, date, property } from 'fast-check';
import { findAge } from '../../scoring/evidence/person';

const find = (birthdate: string | undefined, createdAt: string, documentType = 'CPF') =>
  findAge({ documentType, document: '52998224725', ...(birthdate === undefined ? {} : { birthdate }) }, createdAt);

describe('the age', () => {
  it.each([
    ['2000-06-15', '2018-06-14T23:59:59.999Z', 17],
    ['2000-06-15', '2018-06-15T00:00:00.000Z', 18],
    ['2000-06-15', '2018-06-15T00:30:00+02:00', 17],
    ['2000-06-15', '2018-06-14T22:30:00-03:00', 18],
    ['2000-12-31', '2018-01-01T12:00:00Z', 17],
    ['2018-06-15', '2018-06-15T12:00:00Z', 0],
    ['1900-01-01', '2026-01-01T00:00:00Z', 126],
    // Born on 29 February.
    ['2004-02-29', '2022-02-28T23:59:59Z', 17],
    ['2004-02-29', '2022-03-01T00:00:00Z', 18],
    ['2004-02-29', '2024-02-28T12:00:00Z', 19],
    ['2004-02-29', '2024-02-29T00:00:00Z', 20],
  ])('a person born on %s is, at %s, %i years old', (birthdate, createdAt, age) => {
    expect(find(birthdate, createdAt)).toBe(age);
  });

  it.each([undefined, '', '2001-02-29', '2001-02-30', '2001-13-01', '01/02/2001', '2001', 'x', '2018-06-16'])(
    'the age is unknown for the birthdate %s',
    (birthdate) => {
      expect(find(birthdate, '2018-06-15T12:00:00Z')).toBeUndefined();
    },
  );

  it('the age is unknown for a company, and for a transaction with an invalid time', () => {
    expect(find('2000-06-15', '2018-06-15T12:00:00Z', 'cnpj')).toBeUndefined();
    expect(find('2000-06-15', 'yesterday')).toBeUndefined();
  });

  it('the age grows by one on each birthday', () => {
    const dateRange = { min: new Date('1900-01-01'), max: new Date('2090-12-31'), noInvalidDate: true };
    assert(
      property(date(dateRange), date(dateRange), (birthDate, at) => {
        const birthdate = birthDate.toISOString().slice(0, 10);
        const age = find(birthdate, at.toISOString());
        if (birthdate > at.toISOString().slice(0, 10)) return expect(age).toBeUndefined();
        const birthday = (years: number) =>
          Date.UTC(birthDate.getUTCFullYear() + years, birthDate.getUTCMonth(), birthDate.getUTCDate());
        expect(birthday(age ?? NaN)).toBeLessThanOrEqual(at.getTime());
        expect(birthday((age ?? NaN) + 1)).toBeGreaterThan(at.getTime());
      }),
    );
  });
});
