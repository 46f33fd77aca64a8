import { z } from 'zod';
import { unsafeCharacterIssue } from '../../../domain/unsafe-characters';
import { urlLengthMax } from '../../../platform/caller-address';
import { isMailAddress, mailAddressOctetsMax } from '../../../platform/mailbox';

/** One line of text with a limited length and safe characters, because it can reach pages, operators and logs. */
export const text = (max: number) =>
  z
    .string('must be a string')
    .max(max, `must have at most ${max} characters`)
    .superRefine((value, context) => {
      const message = unsafeCharacterIssue(value);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    });

/** A whole number from 0 that fits into a signed 32-bit integer. */
export const wholeNumber = z
  .int('must be a whole number')
  .min(0, 'must be 0 or more')
  .max(2_147_483_647, 'must be at most 2147483647');

/** The address to which a hosted page sends the person back. `requesterOf` checks that the client may use it. */
export const returnUrl = z
  .string('must be a string')
  .meta({ maxLength: urlLengthMax })
  .nullish()
  .describe('The URL to which the page sends the person back. It must begin with an allowed return URL of the client');

export const flag = z.boolean('must be true or false');

/**
 * The address of one mailbox, with composed characters (NFC). `isMailAddress` decides, and the pattern tells readers of the OpenAPI document
 * what it needs at least.
 */
export const emailAddress = z
  .string('must be a string')
  .normalize('NFC')
  .max(mailAddressOctetsMax, `must have at most ${mailAddressOctetsMax} characters`)
  .refine(isMailAddress, 'must be an e-mail address')
  .meta({ pattern: '^[^\\s@<>()[\\]\\\\,;:"\\p{C}]{1,64}@[^\\s@]+\\.[^\\s@]+$' });

/**
 * Makes a time of RFC 3339 readable for JavaScript and Postgres: `t` and `z` in upper case, and a leap second as the second before it, as in
 * java.time. Only the last minute of a month in UTC can have a leap second. Any other text stays as it is.
 */
function normalizeTime(text: string): string {
  const time = text.toUpperCase();
  const [, minute, rest = '', offset] = /^(.{10}T\d\d:\d\d):60((?:\.\d+)?(Z|[+-]\d\d:\d\d))$/.exec(time) ?? [];
  if (minute === undefined || offset === undefined) return time;
  const nextMinute = new Date(Date.parse(`${minute}${offset}`) + 60_000);
  const endsMonth = nextMinute.getUTCDate() === 1 && nextMinute.getUTCHours() === 0 && nextMinute.getUTCMinutes() === 0;
  return endsMonth ? `${minute}:59${rest}` : time;
}

const timeIssue = 'must be an ISO 8601 instant such as 2026-01-31T12:00:00Z';

/** A time of RFC 3339, with an offset from UTC. Seconds may be missing. */
export const timeWithOffset = z
  .string(timeIssue)
  .max(64, 'must have at most 64 characters')
  .overwrite(normalizeTime)
  .check(z.iso.datetime({ offset: true, error: timeIssue }));

/** No time zone is more than 14 hours ahead of UTC. A date that has not begun in UTC+14 has not begun anywhere. */
const utcOffsetMaxMs = 14 * 60 * 60_000;

const isDate = (text: string) => z.iso.date().safeParse(text).success;

export const date = z.iso.date({ error: 'must be a real date as YYYY-MM-DD' });

export const birthdate = date
  .refine((given) => !isDate(given) || given >= '1900-01-01', 'must not be before 1900-01-01')
  .refine(
    (given) => !isDate(given) || given <= new Date(Date.now() + utcOffsetMaxMs).toISOString().slice(0, 10),
    'must not be in the future',
  );
