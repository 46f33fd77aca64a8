import { z } from 'zod';
import { brandLanguagesIssue, brandLimits, brandNameIssue, type BrandSettings } from '../../domain/brand/brand';
import { mainColorIssue } from '../../domain/brand/colors';
import { languages } from '../../domain/transactions/input';
import { findForeignLink, linkHosts } from '../../messages/foreign-links';
import { isMailAddress } from '../../messages/mailboxes';
import { linkDomain } from '../../messages/sending-limits';
import { quote } from '../../domain/text';
import type { Call } from '../http/route';
import { text } from '../http/body/fields';
import { named } from '../http/openapi/schema-of';
import { Problem } from '../http/problem';

/** What is wrong with a support link. Undefined if nothing is. */
export function supportUrlIssue(given: string): string | undefined {
  const hint = 'must be an https URL, or mailto: with one address, such as mailto:help@acme.example';
  if (/^mailto:/i.test(given)) return isMailAddress(given.slice('mailto:'.length)) ? undefined : hint;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol !== 'https:' || /\s/.test(given)) return hint;
  return url.username || url.password ? 'must have no user and password' : undefined;
}

/** A check by a function that returns what is wrong with a value; undefined if nothing is. */
const checkedBy =
  <Value>(issueOf: (value: Value) => string | undefined) =>
  (value: Value, context: z.RefinementCtx) => {
    const message = issueOf(value);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  };

const { nameCharacters, supportUrlCharacters } = brandLimits;

const brandFields = {
  name: text(nameCharacters)
    .min(1, 'must have at least 1 character')
    .superRefine(checkedBy(brandNameIssue))
    .describe('The name in messages, mails and pages'),
  colors: z
    .strictObject(
      {
        main: z
          .string('must be a string')
          .superRefine(checkedBy(mainColorIssue))
          .meta({ pattern: '^#[0-9a-fA-F]{6}$', maxLength: 7 }),
      },
      'must be an object',
    )
    .optional()
    .describe('`main`: the color of links and buttons on light pages. The service derives the other colors'),
  supportUrl: text(supportUrlCharacters)
    .superRefine(checkedBy(supportUrlIssue))
    .optional()
    .describe('Where a person gets help: an https URL, or mailto: with one address'),
  languages: z
    .array(z.enum(languages as ['pt-BR', 'en', 'es'], `must be one of ${languages.join(', ')}`), 'must be a list')
    .superRefine(checkedBy(brandLanguagesIssue))
    .meta({ minItems: 1, maxItems: languages.length, uniqueItems: true })
    .describe('The languages of messages and pages. The first is the default'),
  smsAutofill: z
    .strictObject(
      {
        domain: linkDomain
          .max(253, 'must have at most 253 characters')
          .optional()
          .describe('The host of the page on which the person enters the code. Adds the line `@host #code`'),
        androidHash: z
          .string('must be a string')
          .regex(/^[A-Za-z0-9+/]{11}$/, 'must be the hash of an Android app: 11 characters of Base64')
          .meta({ maxLength: 11 })
          .optional()
          .describe('The hash of an Android app. Adds a line with it'),
      },
      'must be an object',
    )
    .optional()
    .describe('Lines at the end of each SMS with a code, by which phones fill in the code'),
};

/** The body of PUT /v1/brand: the whole brand, without its logo. */
export const brandBody = named('BrandSettings', z.strictObject(brandFields, 'must be an object'));

export type BrandBody = z.output<typeof brandBody>;

export const brandExample = {
  name: 'Acme',
  colors: { main: '#1a4f8a' },
  supportUrl: 'https://acme.example/help',
  languages: ['pt-BR', 'en'],
  smsAutofill: { domain: 'login.acme.example' },
} satisfies BrandBody;

/** A brand with its logo, in the form of the API. */
export const brandShape = named(
  'Brand',
  z.strictObject({
    ...brandFields,
    logo: z
      .strictObject({ url: z.url(), width: z.int(), height: z.int() })
      .optional()
      .describe('The logo as PNG, with its size in pixels. Everybody can load it'),
    source: z.enum(['service', 'tenant']).describe('`service`: the tenant has set no brand, so the default applies'),
    version: z.int().min(0).describe('Increases with each change. 0: the tenant has set no brand'),
    changedAt: z.iso.datetime().optional(),
    changedBy: z.string().optional().describe('The client that changed the brand'),
  }),
  {
    ...brandExample,
    logo: {
      url: 'https://verify.example.com/brands/0f8fad5b-d9cb-469f-a165-70867728950e/logo?v=2cf24dba5fb0',
      width: 160,
      height: 40,
    },
    source: 'tenant',
    version: 2,
    changedAt: '2026-01-31T12:00:00.000Z',
    changedBy: 'acme',
  },
);

/**
 * The settings of a request. Throws validation_failed if the name makes a link that texts of the tenant must not have: phones show a name such as
 * `acme.com` as a link.
 */
export function settingsOf({ dependencies, tenant, body }: Call<'config' | 'sendingLimits', BrandBody>): BrandSettings {
  const { linkDomains } = dependencies.sendingLimits(tenant);
  const link = findForeignLink(body.name, [...linkDomains, ...linkHosts(dependencies.config.BRAND)]);
  if (link !== undefined) {
    const issue = `contains the link ${quote(link)}. Remove it, or ask the operator to add its domain to linkDomains in SENDING_LIMITS`;
    throw new Problem('validation_failed', { errors: { name: [issue] } });
  }
  const { colors, ...settings } = body;
  // One spelling of each color, so that an equal brand is no change.
  return { ...settings, ...(colors ? { colors: { main: colors.main.toLowerCase() } } : {}) } as BrandSettings;
}
