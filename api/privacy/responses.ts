import { z } from 'zod';
import { exampleOf, named, sample } from '../http/openapi/schema-of';
import { auditEntry, nextPage, sensitive, utcTime } from '../http/response-fields';

const at = '2026-01-31T12:00:00.000Z';

export const erasure = named('Erasure', z.strictObject({ transactionId: z.uuid(), erasedAt: utcTime }), {
  transactionId: sample.transactionId,
  erasedAt: at,
});

export const personErasure = named(
  'PersonErasure',
  z.strictObject({
    erased: z.array(erasure),
    complete: z.boolean().meta({ description: 'False: send the request again, because there are more transactions' }),
  }),
  { erased: [exampleOf(erasure)], complete: true },
);

const exportedImage = named(
  'ExportedImage',
  z.strictObject({
    id: z.uuid(),
    kind: z.string(),
    createdAt: utcTime,
    deleteAfter: utcTime,
    url: sensitive(z.url(), 'privacy'),
    validUntil: utcTime,
  }),
);

const exportedMessage = named(
  'ExportedMessage',
  z.strictObject({
    createdAt: utcTime,
    channel: z.string(),
    kind: z.string(),
    state: z.string(),
    providerId: z.string().nullable(),
    providerStatus: z.string().nullable(),
  }),
  {
    createdAt: at,
    channel: 'sms',
    kind: 'token',
    state: 'accepted',
    providerId: 'SM0123456789abcdef0123456789abcdef',
    providerStatus: 'delivered',
  },
);

/**
 * A transaction in an export. Records differ from transaction to transaction, so the schema describes only the part that every transaction
 * has.
 */
const exportedTransaction = named(
  'ExportedTransaction',
  z.looseObject({
    id: z.uuid(),
    tenant: z.string(),
    createdAt: utcTime,
    changedAt: utcTime,
    input: z.looseObject({}).meta({ description: 'As it was sent when the transaction was created' }),
    confirmations: z.array(z.looseObject({})),
    biometrics: z.array(z.looseObject({})),
    runs: z.array(z.looseObject({})),
    messages: z.array(exportedMessage),
    images: z.array(exportedImage),
    audit: z.array(auditEntry),
  }),
);

export const personExport = named(
  'PersonExport',
  z.strictObject({
    exportedAt: utcTime,
    transactions: z.array(exportedTransaction),
    unreadable: z.array(z.uuid()).optional().meta({
      description: 'Transactions of the person that the service cannot open. The operator can restore or erase them',
    }),
    ...nextPage,
  }),
  {
    exportedAt: at,
    transactions: [
      {
        id: sample.transactionId,
        tenant: 'acme',
        createdAt: at,
        changedAt: at,
        input: { documentType: 'CPF', document: sample.document, name: 'Maria da Silva' },
        confirmations: [],
        biometrics: [],
        runs: [],
        messages: [exampleOf(exportedMessage)],
        images: [],
        audit: [{ at, actor: 'acme', action: 'data_exported', detail: {} }],
      },
    ],
  },
);
