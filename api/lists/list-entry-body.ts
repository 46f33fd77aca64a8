import { z } from 'zod';
import { listNames } from '../../domain/lists/list-entries';
import { toMailDomain } from '../../messages/mailboxes';
import { dialCodes } from '../../messages/phone-numbers';
import { addressLengthMax, readNetwork } from '../../platform/ip-addresses';
import { documentNumber, documentType, readDocument } from '../http/body/document';
import { emailAddress, ipAddress, text, timeWithOffset } from '../http/body/fields';
import { named } from '../http/openapi/schema-of';
import { phone } from '../transactions/phone';

/** The maximum length of a domain (RFC 1035). */
const domainLengthMax = 253;

/** The longest prefix of a number in E.164, which has 15 digits and a prefix without the last four. */
const prefixDigitsMax = 11;

const prefix = z
  .string('must be a string')
  .regex(
    new RegExp(`^[1-9]\\d{0,${prefixDigitsMax - 1}}$`),
    `must have 1 to ${prefixDigitsMax} digits without a plus sign, such as 551198765`,
  )
  .meta({ maxLength: prefixDigitsMax })
  .describe(
    'The first digits of phone numbers, with the dial code. The last four digits of a number are not compared.',
  );

const country = z
  .string('must be a string')
  .regex(/^[1-9]\d{0,2}$/, 'must be a dial code such as 55')
  .refine((code) => dialCodes.has(code), 'must be the dial code of a country')
  .meta({ maxLength: 3 });

const domain = z
  .string('must be a string')
  .max(domainLengthMax, `must have at most ${domainLengthMax} characters`)
  .overwrite((given) => toMailDomain(given) ?? given)
  .refine((given) => toMailDomain(given) !== undefined, 'must be a mail domain such as example.com')
  .describe('The domain of mailboxes. Domains below it, such as mail.example.com, match too.');

const networkIssue =
  'must be an IPv4 network such as 203.0.113.0/24, from /8 to /24, or an IPv6 network from /16 to /48';

const network = z
  .string('must be a string')
  .max(addressLengthMax, networkIssue)
  .overwrite((given) => readNetwork(given) ?? given)
  .refine((given) => readNetwork(given) !== undefined, networkIssue)
  .meta({ pattern: '^[0-9A-Fa-f.:]+/[0-9]{1,2}$' });

const ip = ipAddress.describe(
  'An IPv4 address. For an IPv6 address, its network of 64 bits: the network of one customer.',
);

/** The fields of each kind of value. */
const valueFields = [
  { kind: z.literal('phone'), phone },
  { kind: z.literal('prefix'), prefix },
  { kind: z.literal('country'), country },
  { kind: z.literal('mailbox'), email: emailAddress },
  { kind: z.literal('domain'), domain },
  { kind: z.literal('document'), documentType, document: documentNumber },
  { kind: z.literal('ip'), ip },
  { kind: z.literal('network'), network },
] as const;

const kindIssue = 'must be phone, prefix, country, mailbox, domain, document, ip or network';

const [phoneFields, prefixFields, countryFields, mailboxFields, domainFields, documentFields, ipFields, networkFields] =
  valueFields;

/** The schemas of all kinds, each with the same additional fields. */
const ofEachKind = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.discriminatedUnion(
    'kind',
    [
      z.strictObject({ ...phoneFields, ...fields }),
      z.strictObject({ ...prefixFields, ...fields }),
      z.strictObject({ ...countryFields, ...fields }),
      z.strictObject({ ...mailboxFields, ...fields }),
      z.strictObject({ ...domainFields, ...fields }),
      z.strictObject({ ...documentFields, ...fields }),
      z.strictObject({ ...ipFields, ...fields }),
      z.strictObject({ ...networkFields, ...fields }),
    ],
    kindIssue,
  );

/** A CPF or CNPJ must have its form. Its check digits do not matter, because a transaction can have a wrong document. */
function checkDocument(
  value: { kind: string; documentType?: string; document?: string },
  context: z.RefinementCtx,
): void {
  if (value.document === undefined) return;
  const result = readDocument(value.documentType, value.document, false);
  if ('issue' in result) context.addIssue({ code: 'custom', path: ['document'], message: result.issue });
}

/** A value for a search in the lists. It is in a body and not in a URL, because URLs are logged. */
export const listedValueBody = named('ListedValue', ofEachKind({}).superRefine(checkDocument));

/** A value, and the list for it. */
export const newListEntry = named(
  'NewListEntry',
  ofEachKind({
    list: z.enum(listNames, `must be ${listNames.join(' or ')}`),
    reason: text(200)
      .min(1, 'must not be empty')
      .describe('Why the value is on the list, for your colleagues. Leave out personal data.'),
    expiresAt: timeWithOffset
      .refine((given) => !(Date.parse(given) <= Date.now()), 'must be in the future')
      .optional()
      .describe('When the entry ends. Without it, the entry has no end.'),
  }).superRefine(checkDocument),
);

export type NewListEntryBody = z.output<typeof newListEntry>;
