import { personalData } from '../../domain/personal-data';
import { addAuditEntry, readAuditEntries } from '../../platform/audit';
import { imagePath } from '../../platform/images/image-urls';
import { listImages } from '../../platform/images/images.sql';
import { findSends } from '../../store/messages/sends/sent-messages.sql';
import { findByDocument } from '../../store/privacy/find-by-document';
import { Problem } from '../http/problem';
import type { Handler } from '../http/route';
import { eachRow } from '../../platform/each-row';
import { reportOf } from './report-row';
import { timeCursor } from '../http/cursors';
import type { ExportBody } from './document-body';

/**
 * Maximum number of audit entries of a transaction. The export has only the newest entries, so that a caller who reads images many times
 * does not make the response large.
 */
const auditEntriesMax = 1_000;

/** The caller stores the export and gives it to the person later, so the image URLs are valid for a day. */
const imageUrlMs = 86_400_000;

type ExportCall = Parameters<Handler<ExportBody>>[0];

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
  const { state } = await dependencies.transactions.readState({ tenant, id });
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
 * POST /v1/privacy/export: a page of everything that the tenant has about a document, the oldest transaction first. `unreadable`: the
 * transactions that nobody can open.
 */
export const exportPerson: Handler<ExportBody> = async (call) => {
  const { dependencies, tenant, body } = call;
  const { pool, keys } = dependencies;
  const found = await findByDocument(pool, keys, tenant, body, { limit: body.limit, after: body.after });
  const { results, skipped } = await eachRow(
    found.transactions,
    ({ id }) => exportTransaction(call, id).catch(ignoreMissing),
    { task: 'export a person', ...reportOf(call) },
  );
  const transactions = results.flatMap((exported) => exported ?? []);
  const unreadable = skipped.length > 0 ? { unreadable: skipped.map(({ id }) => id) } : {};
  const last = found.more && found.transactions.at(-1);
  const next = last ? { next: timeCursor({ at: last.createdAt.toISOString(), id: last.id }) } : {};
  const headers = { 'Cache-Control': 'no-store' };
  return { status: 200, headers, body: { exportedAt: new Date().toISOString(), transactions, ...unreadable, ...next } };
};
