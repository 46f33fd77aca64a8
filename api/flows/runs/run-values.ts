import { z } from 'zod';
import { type FlowValue, type FlowValues, inEachLanguage, type RunValues } from '../../../domain/flows/flow-values';
import type { Language } from '../../../domain/transactions/input';
import { findForeignLink } from '../../../messages/foreign-links';
import { digestOf } from '../../http/body/read-json';
import { named } from '../../http/openapi/schema-of';
import { Problem } from '../../http/problem';

/** The longest value in a request: more than any text or amount has. */
const givenCharactersMax = 100;

/** The values that a caller gives, by name. Flows declare which they need. */
export const givenValues = named(
  'RunValues',
  z
    .record(z.string().max(30), z.string('must be a string').max(givenCharactersMax), 'must be an object of strings')
    .meta({ maxProperties: 5 }),
  { amount: '12.50 BRL', payee: 'Padaria Sol' },
);

export type GivenValues = z.output<typeof givenValues>;

const amountPattern = /^(\d{1,12}(?:\.\d{1,3})?) ([A-Z]{3})$/;
/** Letters, digits, spaces and the punctuation of names. No line breaks, direction marks or invisible characters. */
const textPattern = /^[\p{L}\p{M}\p{N} .,:;!?'"&()/+#ºª°-]+$/u;
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** What is wrong with a value. Undefined if it is valid. */
function valueIssue({ type, maxCharacters = 0 }: FlowValue, given: string, linkDomains: readonly string[]) {
  if (type === 'amount') {
    const [, , currency = ''] = amountPattern.exec(given) ?? [];
    return currencies.has(currency) ? undefined : 'must be an amount with its currency, such as 12.50 BRL';
  }
  if (given.length > maxCharacters) return `must have at most ${maxCharacters} characters`;
  if (!textPattern.test(given) || given.trim() !== given)
    return 'must be one line of letters, digits and punctuation, without spaces at its ends';
  return findForeignLink(given, linkDomains) === undefined ? undefined : 'must not have a link';
}

/** A value as the person reads it. `Intl` separates with spaces that are not in the GSM alphabet. */
function shownText({ type }: FlowValue, given: string, language: Language): string {
  if (type === 'text') return given;
  const [, number = '', currency = ''] = amountPattern.exec(given) ?? [];
  const format = new Intl.NumberFormat(language, { style: 'currency', currency, maximumFractionDigits: 3 });
  return format.format(number as Intl.StringNumericLiteral).replaceAll(/\s/g, ' ');
}

/** Identifies values, in any order of their names. */
export const hashOfValues = (given: GivenValues): string => digestOf(given);

/**
 * The values of a flow run, from those that the caller gives. Undefined if the flow has none. Throws validation_failed with every value that
 * is missing, unknown or invalid.
 */
export function readRunValues(
  values: FlowValues | undefined,
  given: GivenValues | undefined,
  linkDomains: readonly string[],
): RunValues | undefined {
  const declared = Object.entries(values ?? {});
  const provided = given ?? {};
  const errors = Object.fromEntries([
    ...declared.flatMap(([name, value]) => {
      const text = Object.hasOwn(provided, name) ? provided[name] : undefined;
      const issue = text === undefined ? 'is required' : valueIssue(value, text, linkDomains);
      return issue === undefined ? [] : [[`values.${name}`, [issue]]];
    }),
    ...Object.keys(provided)
      .filter((name) => !declared.some(([known]) => known === name))
      .map((name) => [`values.${name}`, ['is not a value of the flow']]),
  ]) as Record<string, string[]>;
  if (Object.keys(errors).length > 0) throw new Problem('validation_failed', { errors });
  if (declared.length === 0) return undefined;
  return {
    hash: hashOfValues(provided),
    texts: inEachLanguage((language) =>
      Object.fromEntries(declared.map(([name, value]) => [name, shownText(value, provided[name] ?? '', language)])),
    ),
  };
}
