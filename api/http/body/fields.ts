import { z } from 'zod';
import { unsafeCharacterIssue } from '../../../domain/text';
import { addressLengthMax, readAddress, urlLengthMax } from '../../../platform/ip-addresses';
import { isMailAddress, mailAddressOctetsMax } from '../../../messages/mailboxes';
import { readTypedCode, typedCodeIssue } from '../../../domain/confirmations/check-code';
import { named } from '../openapi/schema-of';

/** Names that no field may have, because they have a meaning in JavaScript. */
export const forbiddenNames = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether a field name has only safe characters and no meaning in JavaScript, so that an error may contain it. */
export const isSafeName = (name: string): boolean =>
  unsafeCharacterIssue(name) === undefined && !forbiddenNames.has(name);

/** Maximum number of errors in one problem. */
const errorsMax = 20;

/** Errors contain field names of the caller, cut to this length. All field names of the API are shorter. */
export const nameLengthMax = 100;

const unknownText = 'is not a field of this request';

/** The path of an issue as it appears in `errors`. */
const nameOf = (path: readonly PropertyKey[]) =>
  path.map((part) => String(part).slice(0, nameLengthMax)).join('.') || 'body';

/**
 * Returns the `errors` of a problem: messages by the path of the field. `issues`: from the schema. `input`: the value that was checked.
 * `unsafeTexts`: issues of texts and names by path (`textIssues`), which replace the issues of the schema for the same path.
 * `onlyUnknownFields`: whether all errors are about unknown fields.
 */
export function fieldErrors(
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  unsafeTexts: Readonly<Record<string, string[]>> = {},
): { errors: Record<string, string[]>; onlyUnknownFields: boolean } {
  const messages = issues
    .flatMap((issue): [path: PropertyKey[], text: string][] => {
      if (issue.code !== 'unrecognized_keys') return [[issue.path, issueText(issue, input)]];
      return issue.keys.map((key) => [[...issue.path, key], unknownText]);
    })
    .filter(([path]) => path.every((part) => isSafeName(String(part))))
    .map(([path, text]): [name: string, text: string] => [nameOf(path), text])
    .filter(([name]) => !Object.hasOwn(unsafeTexts, name));
  const unsafe = Object.entries(unsafeTexts).flatMap(([name, texts]) =>
    texts.map((text): [string, string] => [name, text]),
  );
  // Without a prototype, because a caller may send a name such as `toString`.
  const errors = Object.create(null) as Record<string, string[]>;
  for (const [name, text] of [...unsafe, ...messages].slice(0, errorsMax))
    errors[name] = [...(errors[name] ?? []), text];
  return { errors, onlyUnknownFields: unsafe.length === 0 && messages.every(([, text]) => text === unknownText) };
}

interface Payload {
  value: unknown;
  issues: readonly { path?: readonly unknown[] | undefined }[];
}

/**
 * The arguments of `refine` for a rule about one field of an object that also reads other fields. Such a rule runs even if fields that it
 * does not read are wrong, so one response has all errors. (By default, zod skips it. After an issue with `abort: true`, zod always skips
 * it.) `reads`: the names of all fields that the rule reads. `issueOf`: what is wrong with the field; undefined if nothing is.
 */
export const dependentRule = <Input extends object>(
  field: keyof Input & string,
  reads: readonly (keyof Input & string)[],
  issueOf: (input: Input) => string | undefined,
): [
  isRight: (input: Input) => boolean,
  {
    path: PropertyKey[];
    error: (issue: { input?: unknown }) => string | undefined;
    when: (payload: Payload) => boolean;
  },
] => {
  const readNames: readonly unknown[] = reads;
  return [
    (input) => issueOf(input) === undefined,
    {
      path: [field],
      error: ({ input }) => issueOf(input as Input),
      when: ({ value, issues }) =>
        typeof value === 'object' && value !== null && !issues.some(({ path }) => readNames.includes(path?.[0])),
    },
  ];
};

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

/** An IP address. Equal addresses become equal texts. */
export const ipAddress = z
  .string('must be a string')
  .max(addressLengthMax, `must have at most ${addressLengthMax} characters`)
  .overwrite((given) => readAddress(given) ?? given)
  .refine((given) => readAddress(given) !== undefined, 'must be an IPv4 or IPv6 address, such as 203.0.113.7')
  .meta({ pattern: '^[0-9A-Fa-f.:]{2,45}$' });

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

/** The body of a request to validate a code. `value`: the code that the person typed. A value that cannot be a code is rejected. */
const valueSchema = named(
  'Answer',
  z.strictObject(
    {
      value: z
        .string('must be a string, in quotes')
        .max(64, 'must have at most 64 characters')
        .transform((text, context) => {
          const code = readTypedCode(text);
          if (code === undefined) context.addIssue({ code: 'custom', message: typedCodeIssue });
          return code ?? '';
        })
        .describe('The code that the person typed or pasted. Spaces, dashes and invisible characters are removed.'),
    },
    'must be an object',
  ),
);

/** Settings of a route that validates a code. Direction marks and other invisible characters can come with a pasted code. */
export const valueBody = { body: () => valueSchema, bodyLimits: { anyCharacters: true } } as const;

/** The body of a POST without data: empty, or {}. */
export const emptyBody = z.strictObject({}, 'must be an object');

/**
 * The text of a zod issue. For a missing field, the text is `is required`, because zod itself does not tell missing and wrong values apart.
 * Issues of our own rules (`custom`) keep their text. `input`: the whole value that zod has checked.
 */
export function issueText(issue: z.core.$ZodIssue, input: unknown): string {
  const value = issue.path.reduce<unknown>(
    (parent, part) => (parent as Record<PropertyKey, unknown> | null | undefined)?.[part],
    input,
  );
  return value === undefined && issue.code !== 'custom' ? 'is required' : issue.message;
}
