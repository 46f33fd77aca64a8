import { z } from 'zod';
import { dependentRule, text } from '../http/body/fields';
import { named } from '../http/openapi/schema-of';

const states = new Set('AC AL AP AM BA CE DF ES GO MA MT MS MG PA PB PR PE PI RJ RN RS RO RR SC SP SE TO'.split(' '));

/** Whether an address is in Brazil. An address without a country counts as an address in Brazil. */
const isBrazil = (country: string | undefined) => !country || /^(?:br|bra|bras[ií]l|brazil)$/i.test(country.trim());

export const addressFields = named(
  'Address',
  z.strictObject(
    {
      zipCode: text(16).optional(),
      street: text(200).optional(),
      number: text(20).optional(),
      complement: text(100).optional(),
      district: text(100).optional(),
      city: text(100).optional(),
      state: text(50).optional(),
      country: text(60).optional(),
    },
    'must be an object',
  ),
);

type Address = z.output<typeof addressFields>;

const zipCodeIssue = ({ country, zipCode }: Address) =>
  isBrazil(country) && zipCode !== undefined && !/^\d{5}-?\d{3}$/.test(zipCode)
    ? 'must have 8 digits, with or without a hyphen after the fifth'
    : undefined;

const stateIssue = ({ country, state }: Address) =>
  isBrazil(country) && state !== undefined && !states.has(state.toUpperCase())
    ? 'must be the two letters of a Brazilian state, such as SP'
    : undefined;

/** An address. In Brazil, its state and its postal code are checked and normalized. With another `country`, they stay as they are. */
export const address = addressFields
  .refine(...dependentRule('zipCode', ['country', 'zipCode'], zipCodeIssue))
  .refine(...dependentRule('state', ['country', 'state'], stateIssue))
  .transform((input) => {
    if (!isBrazil(input.country)) return input;
    const { zipCode, state } = input;
    return {
      ...input,
      ...(zipCode === undefined ? {} : { zipCode: zipCode.replace('-', '') }),
      ...(state === undefined ? {} : { state: state.toUpperCase() }),
    };
  });
