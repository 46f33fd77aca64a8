import { z } from 'zod';
import { exampleOf, named, nextPage, utcTime } from '../http/openapi/schema-of';
import { pageParameters, pageQuery, parseQuery } from '../http/page-query';
import type { ApiRoute, Handler } from '../http/route';
import { addAuditEntry } from '../../platform/audit';
import { inTransaction } from '../../platform/postgres/postgres';
import { pageOf } from '../../platform/page';
import { isUuid } from '../../platform/uuid';
import { listBlocks, removeBlock, type SendBlock } from '../../store/messages/send-blocks.sql';
import { cursorOf } from '../http/cursors';
import { Problem } from '../http/problem';

const block = named(
  'Block',
  z.strictObject({
    id: z.uuid(),
    prefix: z.string().describe('The first digits of the blocked phone numbers: all except the last four'),
    reason: z.enum(['lowAnswerRate']),
    sent: z.int().describe('Messages to the prefix in the 24 hours before the block'),
    answered: z.int().describe('How many of these messages were answered'),
    createdAt: utcTime,
    endsAt: utcTime,
  }),
  {
    id: '6b1f0c2d-3e4a-4b5c-8d6e-7f8091a2b3c4',
    prefix: '+551198765',
    reason: 'lowAnswerRate',
    sent: 40,
    answered: 1,
    createdAt: '2026-01-31T12:00:00.000Z',
    endsAt: '2026-02-01T00:00:00.000Z',
  },
);

const blockList = named('BlockList', z.strictObject({ blocks: z.array(block), ...nextPage }), {
  blocks: [exampleOf(block)],
});

/** GET /v1/blocks: the blocks of phone prefixes, newest first. */
export const getBlocks: Handler<'pool'> = async ({ dependencies, tenant, request }) => {
  const { limit, after } = parseQuery(request.url, pageQuery(cursorOf((text) => isUuid(text.toLowerCase()))));
  const page = { limit: limit + 1, ...(after === undefined ? {} : { after }) };
  const { rows, last } = pageOf(await listBlocks(dependencies.pool, tenant, page), limit);
  return { status: 200, headers, body: { blocks: rows.map(toBody), ...(last && { next: last.id }) } };
};

/** DELETE /v1/blocks/{blockId}: removes a block. The audit log keeps who removed the block. Throws block_not_found. */
export const deleteBlock: Handler<'pool'> = async ({ dependencies, tenant, clientId, request }) => {
  const blockId = String(request.params['blockId']);
  await inTransaction(dependencies.pool, async (client) => {
    if (!isUuid(blockId) || !(await removeBlock(client, tenant, blockId))) throw new Problem('block_not_found');
    // The entry in the audit log does not have the prefix, because the prefix is personal data.
    await addAuditEntry(client, { tenant, owner: blockId, actor: clientId, action: 'block_removed' });
  });
  return { status: 204, headers };
};

const headers = { 'Cache-Control': 'no-store' };

/** A block in the form of the API. */
const toBody = ({ createdAt, endsAt, ...block }: SendBlock) => ({
  ...block,
  createdAt: createdAt.toISOString(),
  endsAt: endsAt.toISOString(),
});

/** Blocks of phone prefixes; not in SPEC. */
export const blockRoutes: readonly ApiRoute[] = [
  {
    operationId: 'listBlocks',
    method: 'get',
    path: '/v1/blocks',
    scope: 'blocks:manage',
    summary: 'List the phone prefixes to which messages are blocked, newest first',
    responses: { 200: blockList },
    provides: { blockId: '$response.body#/blocks/0/id' },
    problems: ['validation_failed'],
    parameters: pageParameters,
    handler: getBlocks,
  },
  {
    operationId: 'removeBlock',
    method: 'delete',
    path: '/v1/blocks/{blockId}',
    scope: 'blocks:manage',
    ignoresKey: true,
    summary: 'Remove a block; messages are sent again immediately',
    responses: { 204: 'The block is removed' },
    problems: ['block_not_found'],
    handler: deleteBlock,
  },
];
