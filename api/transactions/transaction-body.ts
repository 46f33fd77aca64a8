import { z } from 'zod';
import type { TransactionInput } from '../../domain/transactions/input';
import {
  birthdate,
  dependentRule,
  emailAddress,
  flag,
  ipAddress,
  text,
  timeWithOffset,
  wholeNumber,
} from '../http/body/fields';
import { named } from '../http/openapi/schema-of';
import { documentNumber, documentType, readDocument } from '../http/body/document';
import { phone } from './phone';

/** Maximum number of keys, and maximum length of a key and of a value. */
const genericFieldsLimits = { keys: 50, key: 128, value: 512 } as const;

/**
 * Maximum size of the body. With every field at its limit, and every character written as `\\uXXXX\\uXXXX` (12 bytes for an emoji), a body
 * has about 404 KiB. The rest is for white space.
 */
export const transactionBytesMax = 512 * 1_024;

const genericFields = z
  .record(
    z
      .string()
      .min(1, 'must not be empty')
      .max(genericFieldsLimits.key, `must have at most ${genericFieldsLimits.key} characters`),
    z
      .string('must be a string')
      .max(genericFieldsLimits.value, `must have at most ${genericFieldsLimits.value} characters`),
    'must be an object of strings',
  )
  .refine(
    (fields) => Object.keys(fields).length <= genericFieldsLimits.keys,
    `must have at most ${genericFieldsLimits.keys} keys`,
  )
  .meta({ maxProperties: genericFieldsLimits.keys });

const card = named(
  'Card',
  z.strictObject(
    {
      bin: z
        .string('must be a string')
        .regex(/^(?:\d{6}|\d{8})$/, 'must have 6 or 8 digits')
        .meta({ maxLength: 8 })
        .optional(),
      last4: z
        .string('must be a string')
        .regex(/^\d{4}$/, 'must have 4 digits')
        .meta({ maxLength: 4 })
        .optional(),
      ownerDocument: documentNumber.optional(),
      ownerName: text(200).optional(),
    },
    'must be an object',
  ),
);

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

/** A transaction that passes every check. Its CPF is invented. */
export const transactionExample = {
  documentType: 'CPF',
  document: '529.982.247-25',
  name: 'Maria da Silva',
  birthdate: '1990-05-17',
  email: 'maria@example.com',
  phone: { countryCode: 55, areaCode: 11, number: 987654321 },
  address: { zipCode: '01310-100', city: 'São Paulo', state: 'SP', country: 'Brasil' },
  genericFields: { locale: 'pt-BR', reference: 'order-4711' },
};

/** The fields of a new transaction. A name has at most 200 characters, because the longest known names have about 150. */
export const newTransaction = named(
  'NewTransaction',
  z.strictObject(
    {
      documentType: documentType.describe('The kind of the document, such as CPF or CNPJ.'),
      document: documentNumber.describe('The number of the document; its mask (punctuation) is removed.'),
      name: text(200).optional().describe('The full name of the person.'),
      birthdate: birthdate.optional().describe('The date of birth of the person.'),
      mothersName: text(200).optional().describe("The full name of the person's mother."),
      email: emailAddress.optional().describe('The mailbox to which codes, questions and links are sent.'),
      verifiedEmail: flag.optional().describe('Whether you have already confirmed the mailbox.'),
      sessionId: text(200)
        .optional()
        .describe('Your id of the visit to your site or app. Equal values link transactions.'),
      identifierId: text(200)
        .optional()
        .describe('Your own id, such as the id of a device. Equal values link transactions.'),
      endUserIp: ipAddress
        .optional()
        .describe('The IP address from which the person uses your site or app. It is compared with your deny list.'),
      channelId: text(200).nullable().optional().describe('Your name of the sales channel, for conditions of flows.'),
      address: address.optional().describe('The postal address of the person.'),
      phone: phone.optional().describe('The phone to which codes, questions and links are sent.'),
      identifierDate: timeWithOffset.optional().describe('Your own date for the request, which reviewers see.'),
      type: wholeNumber.optional().describe('Your type of the transaction, 1 by default.'),
      genericFields: genericFields
        .nullable()
        .optional()
        .describe(
          'Your own texts, for conditions of flows. `locale` sets the language of messages. Lists can filter by `reference`.',
        ),
      criterion: wholeNumber.optional().describe('Your own number, for conditions of flows.'),
      card: card.optional().describe('The payment card, without its full number.'),
      secondaryDocumentType: documentType.optional().describe('The kind of a second document.'),
      secondaryDocument: documentNumber.optional().describe('The number of a second document of the person.'),
    },
    'must be an object',
  ),
  transactionExample,
);

type NewTransaction = z.output<typeof newTransaction>;

/**
 * The body of POST /v1/transaction. The mask (punctuation) of documents is removed, and states and postal codes are normalized.
 * `strictDocuments`: whether wrong check digits of a document are an issue.
 */
export function transactionBody(strictDocuments: boolean) {
  const read = (type: string | undefined, document: string | undefined) =>
    document === undefined ? undefined : readDocument(type, document, strictDocuments);
  const issueOf = (result: ReturnType<typeof read>) => (result && 'issue' in result ? result.issue : undefined);
  const normalize = (type: string | undefined, document: string) => {
    const result = readDocument(type, document, strictDocuments);
    return 'document' in result ? result.document : document;
  };
  return newTransaction
    .refine(
      ...dependentRule<NewTransaction>('document', ['documentType', 'document'], (input) =>
        issueOf(read(input.documentType, input.document)),
      ),
    )
    .refine(
      ...dependentRule<NewTransaction>('secondaryDocument', ['secondaryDocumentType', 'secondaryDocument'], (input) =>
        issueOf(read(input.secondaryDocumentType, input.secondaryDocument)),
      ),
    )
    .transform(
      (input) =>
        ({
          ...input,
          document: normalize(input.documentType, input.document),
          ...(input.secondaryDocument === undefined
            ? {}
            : { secondaryDocument: normalize(input.secondaryDocumentType, input.secondaryDocument) }),
        }) as TransactionInput,
    );
}

const states = new Set('AC AL AP AM BA CE DF ES GO MA MT MS MG PA PB PR PE PI RJ RN RS RO RR SC SP SE TO'.split(' '));

/** Whether an address is in Brazil. An address without a country counts as an address in Brazil. */
const isBrazil = (country: string | undefined) => !country || /^(?:br|bra|bras[ií]l|brazil)$/i.test(country.trim());

type Address = z.output<typeof addressFields>;
