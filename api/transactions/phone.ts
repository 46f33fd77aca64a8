import { z } from 'zod';
import { flag } from '../http/body/fields';
import { named } from '../http/openapi/named';

/** A whole number from `min` to `max`. `issue`: the message for any other value. */
const wholeNumberBetween = (min: number, max: number, issue: string) =>
  z
    .int({
      error: ({ input }) => (typeof input === 'string' ? `${issue}, as a number without quotes` : issue),
    })
    .min(min, issue)
    .max(max, issue);

/** Maximum number of digits in an international number (ITU-T E.164). */
const digitsMax = 15;

/** A phone number. In Brazil (55), area codes have two digits, and numbers have eight or nine digits. All other countries follow E.164. */
export const phone = named(
  'Phone',
  z
    .strictObject(
      {
        countryCode: wholeNumberBetween(1, 999, 'must be a country calling code, such as 55'),
        areaCode: wholeNumberBetween(1, 99_999, 'must be an area code, such as 11').optional(),
        number: wholeNumberBetween(1_000, 99_999_999_999_999, 'must be a phone number without country and area code'),
        verified: flag.optional(),
      },
      'must be an object',
    )
    .superRefine(({ countryCode, areaCode, number }, context) => {
      const addIssue = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
      if (countryCode === 55) {
        if (areaCode === undefined || areaCode < 11 || areaCode > 99)
          addIssue('areaCode', 'must have two digits in Brazil, from 11 to 99');
        const [length, firstDigit] = [String(number).length, String(number)[0]];
        if (length !== 8 && !(length === 9 && firstDigit === '9'))
          addIssue('number', 'must have 8 digits in Brazil, or 9 digits that start with 9');
      } else if (`${countryCode}${areaCode ?? ''}${number}`.length > digitsMax) {
        addIssue('number', 'must have at most 15 digits, with country and area code');
      }
    }),
);
