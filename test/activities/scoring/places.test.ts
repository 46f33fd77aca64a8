import { findPhone } from '../../../activities/scoring/evidence/phone';
import { findPostalCode } from '../../../activities/scoring/evidence/postal-code';
import { areaCodes, statesOfAreaCode } from '../../../activities/scoring/tables/area-codes';
import { stateOfPostalCode, states } from '../../../activities/scoring/tables/postal-codes';
import type { Phone } from '../../../domain/transaction';

const person = { documentType: 'CPF', document: '52998224725' };

describe('area codes', () => {
  it('are 67, in all 27 states', () => {
    expect(new Set(areaCodes).size).toBe(67);
    expect(areaCodes).toHaveLength(67);
    expect(new Set(areaCodes.map((code) => statesOfAreaCode(code)?.[0])).size).toBe(27);
  });

  it('that are not in use are none', () => {
    const unused = [10, 20, 23, 25, 26, 29, 30, 36, 39, 40, 50, 52, 56, 57, 58, 59, 60, 70, 72, 76, 78, 80, 90];
    for (let code = 10; code < 100; code += 1)
      expect([code, statesOfAreaCode(code) === undefined]).toEqual([code, unused.includes(code)]);
  });

  it.each([
    [11, 'SP'],
    [21, 'RJ'],
    [27, 'ES'],
    [31, 'MG'],
    [41, 'PR'],
    [48, 'SC'],
    [51, 'RS'],
    [61, 'DF'],
    [63, 'TO'],
    [71, 'BA'],
    [92, 'AM'],
    [98, 'MA'],
  ])('%i is of %s', (code, state) => {
    expect(statesOfAreaCode(code)?.[0]).toBe(state);
  });
});

describe('a phone', () => {
  const find = (phone: Partial<Phone>, zipCode?: string) =>
    findPhone({
      ...person,
      phone: { countryCode: 55, areaCode: 11, number: 987654321, ...phone },
      ...(zipCode ? { address: { zipCode } } : {}),
    });

  it.each([
    [987654321, 'mobile'],
    [32654321, 'landline'],
    [52654321, 'landline'],
    [72654321, 'unknown'],
    [887654321, 'unknown'],
    [9876543, 'unknown'],
  ])('%i is on a line that is %s', (number, line) => {
    expect(find({ number })).toEqual({ allocated: true, line, state: 'SP' });
  });

  it('of an area code that is not in use is not allocated', () => {
    expect(find({ areaCode: 20 })).toEqual({ allocated: false, line: 'mobile' });
  });

  it('of the capital counts for the towns of Goiás around it', () => {
    expect(find({ areaCode: 61 })?.state).toBe('DF');
    expect(find({ areaCode: 61 }, '72800-000')?.state).toBe('GO');
    expect(find({ areaCode: 61 }, '01310100')?.state).toBe('DF');
  });

  it('elsewhere, without an area code or absent tells nothing', () => {
    expect(find({ countryCode: 351 })).toBeUndefined();
    expect(findPhone({ ...person, phone: { countryCode: 55, number: 987654321 } })).toBeUndefined();
    expect(findPhone(person)).toBeUndefined();
  });
});

describe('a postal code', () => {
  it.each([
    ['01310-100', 'SP'],
    ['19999999', 'SP'],
    ['20040002', 'RJ'],
    ['29010120', 'ES'],
    ['30130000', 'MG'],
    ['40020000', 'BA'],
    ['49010000', 'SE'],
    ['50030230', 'PE'],
    ['57020000', 'AL'],
    ['58010000', 'PB'],
    ['59025000', 'RN'],
    ['60060000', 'CE'],
    ['64000000', 'PI'],
    ['65010000', 'MA'],
    ['66010000', 'PA'],
    ['68899999', 'PA'],
    ['68900000', 'AP'],
    ['69005000', 'AM'],
    ['69301000', 'RR'],
    ['69400000', 'AM'],
    ['69900000', 'AC'],
    ['70040010', 'DF'],
    ['72799999', 'DF'],
    ['72800000', 'GO'],
    ['73000000', 'DF'],
    ['74000000', 'GO'],
    ['76800000', 'RO'],
    ['77001000', 'TO'],
    ['78005000', 'MT'],
    ['79002000', 'MS'],
    ['80010000', 'PR'],
    ['88010000', 'SC'],
    ['90010000', 'RS'],
  ])('%s is in %s', (postalCode, state) => {
    expect(stateOfPostalCode(postalCode)).toBe(state);
  });

  it.each(['00000000', '00999999', '78900000', '0131010', '013101000', 'ABCDEFGH', ''])('%s is in no state', (code) => {
    expect(stateOfPostalCode(code)).toBeUndefined();
  });

  it('is compared with the stated state when that is one of the 27', () => {
    expect(states).toHaveLength(27);
    const find = (state?: string) =>
      findPostalCode({ ...person, address: { zipCode: '01310100', ...(state ? { state } : {}) } });
    expect(find('sp ')).toEqual({ state: 'SP', matchesStatedState: true });
    expect(find('RJ')).toEqual({ state: 'SP', matchesStatedState: false });
    expect(find('São Paulo')).toEqual({ state: 'SP' });
    expect(find()).toEqual({ state: 'SP' });
    expect(findPostalCode({ ...person, address: { zipCode: '00000000', state: 'SP' } })).toEqual({});
    expect(findPostalCode({ ...person, address: { state: 'SP' } })).toBeUndefined();
  });
});
