import { toDialedNumber } from '../../messages/phone-numbers';

test.each([
  // Ivory Coast, Benin and Congo: mobile numbers start with 0.
  ['+2250720777504', { countryCode: 225, number: 720777504 }],
  ['+2250720777504', { countryCode: 225, number: '0720777504' }],
  ['+2250720777504', { countryCode: 225, areaCode: 7, number: 20777504 }],
  ['+2250720777504', { countryCode: 225, areaCode: '07', number: '20777504' }],
  ['+2250700123456', { countryCode: 225, areaCode: 7, number: 123456 }],
  ['+2290197123456', { countryCode: 229, number: 197123456 }],
  ['+242061234567', { countryCode: 242, number: 61234567 }],
  // Rome: the area code is 06, also in calls from abroad.
  ['+390612345678', { countryCode: 39, areaCode: 6, number: 12345678 }],
  ['+390612345678', { countryCode: 39, areaCode: '06', number: 12345678 }],
  // France: the area code has no zero in calls from abroad, but the number may start with zeros.
  ['+33601020304', { countryCode: 33, areaCode: 6, number: 1020304 }],
  ['+33600020304', { countryCode: 33, areaCode: 6, number: 20304 }],
  ['+33612345678', { countryCode: 33, number: '0612345678' }],
  // Already valid.
  ['+5511987654321', { countryCode: 55, areaCode: 11, number: 987654321 }],
  ['+5511987654321', { countryCode: 55, areaCode: '011', number: '987654321' }],
  ['+351912345678', { countryCode: 351, number: 912345678 }],
  ['+393331234567', { countryCode: 39, number: 3331234567 }],
])('%s is the number of %j', (e164, parts) => {
  expect(toDialedNumber(parts)).toBe(e164);
});

test.each([
  ['a text keeps its digits, because its writer has chosen them', '+225720777504', '720777504', 225],
  ['no zeros make the number valid', '+5511900000002', 11900000002, 55],
  ['the country does not exist', '+99912345678', 12345678, 999],
])('a number that is not valid stays as it is: %s', (_, e164, number, countryCode) => {
  expect(toDialedNumber({ countryCode, number })).toBe(e164);
});
