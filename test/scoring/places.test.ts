import {
  areaCodes,
  findPhone,
  findPostalCode,
  stateOfPostalCode,
  states,
  statesOfAreaCode,
} from '../../scoring/evidence/phone-and-address';
import type { Phone } from '../../domain/transactions/input';

const person = { documentType: 'CPF', document: '52998224725' };

describe('area codes', () => {
  it('there are 67 area codes, in all 27 states', () => {
    expect(new Set(areaCodes).size).toBe(67);
    expect(areaCodes).toHaveLength(67);
    expect(new Set(areaCodes.map((code) => statesOfAreaCode(code)?.[0])).size).toBe(27);
  });

  it('a number that is not in use is no area code', () => {
    const unused = [10, 20, 23, 25, 26, 29, 30, 36, 39, 40, 50, 52, 56, 57, 58, 59, 60, 70, 72, 76, 78, 80, 90];
    for (let code = 10; code < 100; code += 1)
      expect([code, statesOfAreaCode(code) === undefined]).toEqual([code, unused.includes(code)]);
  });

  it.each([
    ['AC', [68]],
    ['AL', [82]],
    ['AM', [92, 97]],
    ['AP', [96]],
    ['BA', [71, 73, 74, 75, 77]],
    ['CE', [85, 88]],
    ['DF', [61]],
    ['ES', [27, 28]],
    ['GO', [62, 64]],
    ['MA', [98, 99]],
    ['MG', [31, 32, 33, 34, 35, 37, 38]],
    ['MS', [67]],
    ['MT', [65, 66]],
    ['PA', [91, 93, 94]],
    ['PB', [83]],
    ['PE', [81, 87]],
    ['PI', [86, 89]],
    ['PR', [41, 42, 43, 44, 45, 46]],
    ['RJ', [21, 22, 24]],
    ['RN', [84]],
    ['RO', [69]],
    ['RR', [95]],
    ['RS', [51, 53, 54, 55]],
    ['SC', [47, 48, 49]],
    ['SE', [79]],
    ['SP', [11, 12, 13, 14, 15, 16, 17, 18, 19]],
    ['TO', [63]],
  ])('the area codes in %s are %j', (state, codes) => {
    expect(areaCodes.filter((code) => statesOfAreaCode(code)?.[0] === state).toSorted((a, b) => a - b)).toEqual(codes);
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
  ])('the phone number %i is a %s line', (number, line) => {
    expect(find({ number })).toEqual({ allocated: true, line, state: 'SP' });
  });

  it('a phone number has the same classification as in libphonenumber', () => {
    const areas = '(?:[14689][1-9]|2[12478]|3[1-578]|5[13-5]|7[13-579])';
    // libphonenumber also accepts mobile numbers of eight digits, which Brazil does not use any more.
    const mobile = new RegExp(`^${areas}9\\d{8}$`);
    const landline = new RegExp(`^${areas}[2-5]\\d{7}$`);
    const expectedLine = (digits: string) =>
      mobile.test(digits) ? 'mobile' : landline.test(digits) ? 'landline' : 'none';
    for (let areaCode = 10; areaCode < 100; areaCode += 1) {
      for (const number of [...Array(10).keys()].flatMap((first) => [first * 1e7 + 1234567, first * 1e8 + 12345678])) {
        const { allocated, line } = find({ areaCode, number }) ?? {};
        const actualLine = allocated && line !== 'unknown' ? line : 'none';
        expect([areaCode, number, actualLine]).toEqual([areaCode, number, expectedLine(`${areaCode}${number}`)]);
      }
    }
  });

  it('a phone number is not allocated if its area code is not in use', () => {
    expect(find({ areaCode: 20 })).toEqual({ allocated: false, line: 'mobile' });
  });

  it('a phone number with the area code of Brasília counts as a number in Goiás if the postal code is in Goiás', () => {
    expect(find({ areaCode: 61 })?.state).toBe('DF');
    expect(find({ areaCode: 61 }, '72800-000')?.state).toBe('GO');
    expect(find({ areaCode: 61 }, '01310100')?.state).toBe('DF');
  });

  it('a phone number gives no evidence without a Brazilian area code', () => {
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
  ])('the postal code %s is in %s', (postalCode, state) => {
    expect(stateOfPostalCode(postalCode)).toBe(state);
  });

  it.each(['00000000', '00999999', '78900000', '78999999', '0131010', '013101000', 'ABCDEFGH', ''])(
    'the postal code "%s" is in no state',
    (code) => {
      expect(stateOfPostalCode(code)).toBeUndefined();
    },
  );

  it.each([
    ['SP', '01000000', '19999999'],
    ['RJ', '20000000', '28999999'],
    ['ES', '29000000', '29999999'],
    ['MG', '30000000', '39999999'],
    ['BA', '40000000', '48999999'],
    ['SE', '49000000', '49999999'],
    ['PE', '50000000', '56999999'],
    ['AL', '57000000', '57999999'],
    ['PB', '58000000', '58999999'],
    ['RN', '59000000', '59999999'],
    ['CE', '60000000', '63999999'],
    ['PI', '64000000', '64999999'],
    ['MA', '65000000', '65999999'],
    ['PA', '66000000', '68899999'],
    ['AP', '68900000', '68999999'],
    ['AM', '69000000', '69299999'],
    ['RR', '69300000', '69399999'],
    ['AM', '69400000', '69899999'],
    ['AC', '69900000', '69999999'],
    ['DF', '70000000', '72799999'],
    ['GO', '72800000', '72999999'],
    ['DF', '73000000', '73699999'],
    ['GO', '73700000', '76799999'],
    ['RO', '76800000', '76999999'],
    ['TO', '77000000', '77999999'],
    ['MT', '78000000', '78899999'],
    ['MS', '79000000', '79999999'],
    ['PR', '80000000', '87999999'],
    ['SC', '88000000', '89999999'],
    ['RS', '90000000', '99999999'],
  ])('the postal codes in %s start at %s and end at %s', (state, from, to) => {
    expect([stateOfPostalCode(from), stateOfPostalCode(to)]).toEqual([state, state]);
  });

  it('a postal code is compared with the state in the address if this state is given by its two-letter code', () => {
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
