import { z } from 'zod';
import { type Phone, toE164 } from '../../domain/transactions/input';
import { toDialedNumber } from '../../messages/phone-numbers';
import { dependentRule, flag } from '../http/body/fields';
import { named } from '../http/openapi/schema-of';

/** Maximum number of digits in an international number (ITU-T E.164). */
const digitsMax = 15;

/** The bounds of each integer, the length and form of a text of digits, and the issue of any other value. */
const parts = {
  countryCode: { min: 1, max: 999, issue: 'must be a dial code, such as 55' },
  areaCode: {
    min: 1,
    max: 99_999,
    length: 5,
    digits: /^(?=0*[1-9])\d{1,5}$/,
    issue: 'must be an area code in digits only, such as 11',
  },
  number: {
    ...{ min: 1_000, max: 99_999_999_999_999, length: 14, digits: /^(?=0*[1-9])\d{4,14}$/ },
    issue: 'must be a phone number in digits only, without country and area code',
  },
};

const integer = ({ min, max, issue }: { min: number; max: number; issue: string }) =>
  z
    .int({ error: ({ input }) => (typeof input === 'string' ? `${issue}, as a number without quotes` : issue) })
    .min(min, issue)
    .max(max, issue);

/** An integer, or a text of digits, which keeps leading zeros. */
const integerOrDigits = (part: { min: number; max: number; length: number; digits: RegExp; issue: string }) =>
  z.union(
    [
      z.int(part.issue).min(part.min, part.issue).max(part.max, part.issue),
      z.string().max(part.length, part.issue).regex(part.digits, { error: part.issue, abort: true }),
    ],
    {
      error: ({ input }) => (input === undefined ? undefined : part.issue),
    },
  );

/** A phone as the API returns it. The integers do not show leading zeros. */
export const phoneFields = named(
  'Phone',
  z.strictObject({
    countryCode: integer(parts.countryCode),
    areaCode: integer(parts.areaCode).optional(),
    number: integer({ ...parts.number, min: 1 }),
    verified: flag.optional(),
  }),
);

/** A phone as callers send it. */
interface PhoneInput {
  countryCode: number;
  areaCode?: number | string | undefined;
  number: number | string;
}

const brazil = 55;

const areaCodeIssue = ({ countryCode, areaCode = 0 }: PhoneInput) =>
  countryCode === brazil && (Number(areaCode) < 11 || Number(areaCode) > 99)
    ? 'must have two digits in Brazil, from 11 to 99'
    : undefined;

const brazilianNumberIssue = ({ countryCode, number }: PhoneInput) =>
  countryCode === brazil && !/^(?:\d{8}|9\d{8})$/.test(String(number))
    ? 'must have 8 digits in Brazil, or 9 digits that start with 9'
    : undefined;

const lengthIssue = ({ countryCode, areaCode, number }: PhoneInput) =>
  countryCode !== brazil && `${countryCode}${areaCode ?? ''}${number}`.length > digitsMax
    ? 'must have at most 15 digits, with country and area code'
    : undefined;

/**
 * A phone number of a caller. In Brazil (55), area codes have two digits, and numbers have eight or nine digits. All other countries follow
 * E.164. The result has integers, and `e164` if they are not the number in a row: see `toDialedNumber`.
 */
export const phone = named(
  'PhoneInput',
  z.strictObject(
    {
      countryCode: integer(parts.countryCode),
      areaCode: integerOrDigits(parts.areaCode)
        .optional()
        .describe('The area code. Send it as a text if it starts with 0.'),
      number: integerOrDigits(parts.number).describe(
        'The number without country and area code. Send it as a text if it starts with 0.',
      ),
      verified: flag.optional(),
    },
    'must be an object',
  ),
)
  .refine(...dependentRule('areaCode', ['countryCode', 'areaCode'], areaCodeIssue))
  .refine(...dependentRule('number', ['countryCode', 'number'], brazilianNumberIssue))
  .refine(...dependentRule('number', ['countryCode', 'areaCode', 'number'], lengthIssue))
  .transform((input): Phone => {
    const areaCode = input.areaCode === undefined ? {} : { areaCode: Number(input.areaCode) };
    const integers = { ...input, ...areaCode, number: Number(input.number) } as Phone;
    const e164 = toDialedNumber(input);
    return e164 === toE164(integers) ? integers : { ...integers, e164 };
  });
