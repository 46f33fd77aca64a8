import { personalData } from '../../domain/transactions/views';
import { addAuditEntry, readAuditEntries } from '../../platform/audit';
import { imagePath } from '../../images/sealed-images';
import { listImages } from '../../images/images.sql';
import { findSends } from '../../store/messages/sends/sent-messages.sql';
import { findByDocument } from '../../store/privacy/erase-transaction';
import { Problem } from '../http/problem';
import { type ApiRoute, type Call, type Handler, withBody } from '../http/route';
import { eachRow } from '../../platform/each-row';
import { at, type ExportBody, exportBody, reportOf } from './erase';
import { timeCursor } from '../http/cursors';
import { z } from 'zod';
import { auditEntry, exampleOf, named, nextPage, sample, sensitive, utcTime } from '../http/openapi/schema-of';

/**
 * Maximum number of audit entries of a transaction. The export has only the newest entries, so that a caller who reads images many times
 * does not make the response large.
 */
const auditEntriesMax = 1_000;

/**
 * A page of an export ends after the transaction with which it has this many bytes, so a response never has much more. A transaction with the
 * largest fields and the most audit entries has about 400 kB.
 */
const pageBytesMax = 1_000_000;

/** The caller stores the export and gives it to the person later, so the image URLs are valid for a day. */
const imageUrlMs = 86_400_000;

type ExportCall = Call<'config' | 'keys' | 'pool' | 'transactions', ExportBody>;

/** The images of a transaction, with URLs that are valid for a day. */
async function exportImages({ dependencies, tenant, clientId: actor }: ExportCall, owner: string) {
  const { pool, keys, config } = dependencies;
  const expiresAt = new Date(Date.now() + imageUrlMs);
  return (await listImages(pool, { tenant, owner })).map(({ id, kind, createdAt, deleteAfter }) => ({
    id,
    kind,
    createdAt: createdAt.toISOString(),
    deleteAfter: deleteAfter.toISOString(),
    url: new URL(imagePath(keys, { tenant, owner, id, actor, expiresAt }), config.PUBLIC_URL).href,
    validUntil: expiresAt.toISOString(),
  }));
}

/**
 * Everything that the tenant has about a transaction. Adds the export to the audit log. Opt-outs are not in the export: they belong to the
 * phone or mailbox and not to a tenant, so they would show what happened at other tenants.
 */
async function exportTransaction(call: ExportCall, id: string) {
  const { dependencies, tenant, clientId } = call;
  const state = await dependencies.transactions.readState({ tenant, id });
  await addAuditEntry(dependencies.pool, { tenant, owner: id, actor: clientId, action: 'data_exported' });
  const [images, messages, audit] = await Promise.all([
    exportImages(call, id),
    findSends(dependencies.pool, tenant, id),
    readAuditEntries(dependencies.pool, { tenant, owner: id }, auditEntriesMax),
  ]);
  const auditLog = audit.map(({ at, ...entry }) => ({ at: at.toISOString(), ...entry }));
  const sent = messages.map(({ createdAt, ...message }) => ({ createdAt: createdAt.toISOString(), ...message }));
  return { ...personalData(state), messages: sent, images, audit: auditLog };
}

/** Returns undefined if the transaction was erased during the export or was never created. Throws any other error. */
function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof Problem && ['erased', 'transaction_not_found'].includes(error.code))) throw error;
}

/**
 * POST /v1/privacy/export: a page of everything that the tenant has about a document, the oldest transaction first. The page ends after
 * `limit` transactions, or after the transaction with which it has `pageBytesMax`. `unreadable`: the transactions that nobody can open.
 */
export const exportPerson: Handler<'config' | 'keys' | 'logger' | 'pool' | 'transactions', ExportBody> = async (
  call,
) => {
  const { dependencies, tenant, body } = call;
  const { pool, keys } = dependencies;
  const { transactions, more } = await findByDocument(pool, keys, tenant, body, {
    limit: body.limit,
    after: body.after,
  });
  const exported: object[] = [];
  let bytes = 0;
  let read = 0;
  const exportWithinPage = async ({ id }: { id: string }) => {
    if (bytes >= pageBytesMax) return;
    read += 1;
    const one = await exportTransaction(call, id).catch(ignoreMissing);
    if (!one) return;
    exported.push(one);
    bytes += Buffer.byteLength(JSON.stringify(one));
  };
  const { skipped } = await eachRow(transactions, exportWithinPage, { task: 'export a person', ...reportOf(call) });
  const unreadable = skipped.length > 0 ? { unreadable: skipped.map(({ id }) => id) } : {};
  const last = more || read < transactions.length ? transactions[read - 1] : undefined;
  const next = last ? { next: timeCursor({ at: last.createdAt.toISOString(), id: last.id }) } : {};
  const headers = { 'Cache-Control': 'no-store' };
  const exportedAt = new Date().toISOString();
  return { status: 200, headers, body: { exportedAt, transactions: exported, ...unreadable, ...next } };
};

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

/** The export of personal data; not in SPEC. */
export const exportRoutes: readonly ApiRoute[] = [
  withBody({
    operationId: 'exportPerson',
    method: 'post',
    path: '/v1/privacy/export',
    scope: 'privacy',
    summary: 'Export everything that the tenant has about a document',
    body: () => exportBody,
    example: { documentType: 'CPF', document: '11144477735' },
    responses: { 200: personExport },
    isLongRead: true,
    handler: exportPerson,
  }),
];
