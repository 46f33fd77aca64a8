import { z } from 'zod';
import { listKinds, listNames } from '../../domain/lists/list-entries';
import { addAuditEntry } from '../../platform/audit';
import { pageOf } from '../../platform/page';
import { inTransaction } from '../../platform/postgres/postgres';
import { isUuid } from '../../platform/uuid';
import {
  addListEntry,
  findListEntries,
  findListEntry,
  type ListEntry,
  removeListEntry,
} from '../../store/lists/list-entries.sql';
import { describeListed, type ListedData } from '../../store/lists/listed-values';
import { timeCursor, timeCursorSchema } from '../http/cursors';
import { exampleOf, named, nextPage, utcTime } from '../http/openapi/schema-of';
import { pageParameters, pageQuery, parseQuery } from '../http/page-query';
import { Problem } from '../http/problem';
import { type ApiRoute, type Handler, type Parameter, withBody } from '../http/route';
import { listedValueBody, newListEntry, type NewListEntryBody } from './list-entry-body';

const scope = 'lists:manage';

const listEntry = named(
  'ListEntry',
  z.strictObject({
    id: z.uuid(),
    list: z.enum(listNames),
    kind: z.enum(listKinds),
    value: z.string().describe('The value. A phone, a mailbox, a document and an IP address are masked'),
    reason: z.string(),
    addedBy: z.string().describe('The id of the client that added the entry'),
    createdAt: utcTime,
    expiresAt: utcTime.optional().describe('Absent if the entry has no end'),
  }),
  {
    id: '3f0c8f5e-5d1b-4c57-9d0a-2f6b7c8d9e0f',
    list: 'deny',
    kind: 'phone',
    value: '+55*********21',
    reason: 'chargeback in case 4711',
    addedBy: 'acme-risk',
    createdAt: '2026-01-31T12:00:00.000Z',
    expiresAt: '2026-07-31T12:00:00.000Z',
  },
);

const listEntries = named('ListEntries', z.strictObject({ entries: z.array(listEntry), ...nextPage }), {
  entries: [exampleOf(listEntry)],
});

const foundEntries = named('FoundListEntries', z.strictObject({ entries: z.array(listEntry).max(1) }), {
  entries: [exampleOf(listEntry)],
});

const headers = { 'Cache-Control': 'no-store' };

/** An entry in the form of the API. */
const toBody = ({ shown, createdAt, expiresAt, id, list, kind, reason, addedBy }: ListEntry) => ({
  ...{ id, list, kind, value: shown, reason, addedBy, createdAt: createdAt.toISOString() },
  ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
});

const listQuery = {
  ...pageQuery(timeCursorSchema),
  list: z.enum(listNames, `must be ${listNames.join(' or ')}`).optional(),
  kind: z.enum(listKinds, `must be one of ${listKinds.join(', ')}`).optional(),
};

const filterParameter = (name: string, description: string, values: readonly string[]): Parameter => ({
  ...{ name, in: 'query', description },
  schema: { type: 'string', enum: values },
});

/** GET /v1/lists: the active entries, newest first. */
export const getListEntries: Handler<'pool'> = async ({ dependencies, tenant, request }) => {
  const { limit, after, ...filter } = parseQuery(request.url, listQuery);
  const found = await findListEntries(dependencies.pool, tenant, filter, { limit: limit + 1, after });
  const { rows, last } = pageOf(found.map(toBody), limit);
  return {
    status: 200,
    headers,
    body: { entries: rows, ...(last && { next: timeCursor({ at: last.createdAt, id: last.id }) }) },
  };
};

/** POST /v1/lists/search: the active entry of exactly this value, if there is one. */
export const searchLists: Handler<'keys' | 'pool', ListedData> = async ({ dependencies, tenant, body }) => {
  const entry = await findListEntry(dependencies.pool, tenant, describeListed(dependencies.keys, tenant, body));
  return { status: 200, headers, body: { entries: entry ? [toBody(entry)] : [] } };
};

/**
 * POST /v1/lists: adds an entry. If the value is on this list already, changes the reason and the end of its entry. The audit log has no
 * value and no reason, because both can be personal data. Throws list_entry_conflict and list_limit_reached.
 */
export const putListEntry: Handler<'keys' | 'pool', NewListEntryBody> = async (call) => {
  const { dependencies, tenant, clientId, body } = call;
  const { list, kind, reason, expiresAt } = body;
  const described = describeListed(dependencies.keys, tenant, body);
  const end = expiresAt === undefined ? null : new Date(expiresAt);
  const { entry, isNew } = await inTransaction(dependencies.pool, async (client) => {
    const entry = { ...described, list, reason, addedBy: clientId, expiresAt: end };
    const result = await addListEntry(client, tenant, entry);
    if ('isFull' in result) throw new Problem('list_limit_reached');
    if ('conflict' in result) throw new Problem('list_entry_conflict', { members: { entryId: result.conflict.id } });
    await addAuditEntry(client, {
      ...{ tenant, owner: result.entry.id, actor: clientId },
      action: result.isNew ? 'list_entry_added' : 'list_entry_changed',
      detail: { list, kind, ...(end && { expiresAt: end.toISOString() }) },
    });
    return result;
  });
  return { status: isNew ? 201 : 200, headers, body: toBody(entry) };
};

/** DELETE /v1/lists/{entryId}: removes an entry. The audit log keeps who removed it. Throws list_entry_not_found. */
export const deleteListEntry: Handler<'pool'> = async ({ dependencies, tenant, clientId, request }) => {
  const entryId = String(request.params['entryId']);
  await inTransaction(dependencies.pool, async (client) => {
    const removed = isUuid(entryId) ? await removeListEntry(client, tenant, entryId) : undefined;
    if (!removed) throw new Problem('list_entry_not_found');
    await addAuditEntry(client, {
      ...{ tenant, owner: entryId, actor: clientId, action: 'list_entry_removed' },
      detail: { ...removed },
    });
  });
  return { status: 204, headers };
};

/** Deny and allow lists; not in SPEC. */
export const listRoutes: readonly ApiRoute[] = [
  {
    operationId: 'listListEntries',
    method: 'get',
    path: '/v1/lists',
    scope,
    summary: 'List the entries of your deny and allow lists, newest first',
    responses: { 200: listEntries },
    provides: { entryId: '$response.body#/entries/0/id' },
    problems: ['validation_failed'],
    parameters: [
      filterParameter('list', 'Only entries of this list', listNames),
      filterParameter('kind', 'Only entries of this kind', listKinds),
      ...pageParameters,
    ],
    handler: getListEntries,
  },
  withBody({
    operationId: 'putListEntry',
    method: 'post',
    path: '/v1/lists',
    scope,
    summary: 'Add an entry to a list, or change the reason and end of the entry of this value',
    body: () => newListEntry,
    example: {
      ...{ list: 'deny', kind: 'phone', phone: { countryCode: 55, areaCode: 11, number: 987654321 } },
      ...{ reason: 'chargeback in case 4711', expiresAt: '2099-07-31T12:00:00Z' },
    },
    responses: { 200: listEntry, 201: listEntry },
    provides: { entryId: '$response.body#/id' },
    problems: ['list_entry_conflict', 'list_limit_reached'],
    handler: putListEntry,
  }),
  withBody({
    operationId: 'searchLists',
    method: 'post',
    path: '/v1/lists/search',
    scope,
    summary: 'Find the entry of a value',
    body: () => listedValueBody,
    example: { kind: 'mailbox', email: 'maria.silva@example.com' },
    responses: { 200: foundEntries },
    provides: { entryId: '$response.body#/entries/0/id' },
    handler: searchLists,
  }),
  {
    operationId: 'removeListEntry',
    method: 'delete',
    path: '/v1/lists/{entryId}',
    scope,
    ignoresKey: true,
    summary: 'Remove an entry, which then has no effect',
    responses: { 204: 'The entry is removed' },
    problems: ['list_entry_not_found'],
    handler: deleteListEntry,
  },
];
