import { z } from 'zod';
import { addAuditEntry } from '../../platform/audit';
import { inTransaction } from '../../platform/postgres/postgres';
import { listBlocks, removeBlock, type SendBlock } from '../../store/messages/send-blocks.sql';
import { cursorOf } from '../http/cursors';
import { pageQuery, parseQuery } from '../http/page-query';
import { Problem } from '../http/problem';
import type { Handler } from '../http/route';

const headers = { 'Cache-Control': 'no-store' };

const isUuid = (text: string) => z.uuid().safeParse(text).success;

/** A block in the form of the API. */
const toBody = ({ createdAt, endsAt, ...block }: SendBlock) => ({
  ...block,
  createdAt: createdAt.toISOString(),
  endsAt: endsAt.toISOString(),
});

/** GET /v1/blocks: the blocks of phone prefixes, newest first. */
export const getBlocks: Handler = async ({ dependencies, tenant, request }) => {
  const { limit, after } = parseQuery(request.url, pageQuery(cursorOf(isUuid)));
  // Reads one block more than the page has, to know whether there is a next page.
  const found = await listBlocks(dependencies.pool, tenant, {
    limit: limit + 1,
    ...(after === undefined ? {} : { after }),
  });
  const blocks = found.slice(0, limit).map(toBody);
  const next = found.length > limit ? { next: blocks.at(-1)?.id } : {};
  return { status: 200, headers, body: { blocks, ...next } };
};

/** DELETE /v1/blocks/{blockId}: removes a block. The audit log keeps who removed the block. Throws block_not_found. */
export const deleteBlock: Handler = async ({ dependencies, tenant, clientId, request }) => {
  const blockId = String(request.params['blockId']);
  await inTransaction(dependencies.pool, async (client) => {
    if (!isUuid(blockId) || !(await removeBlock(client, tenant, blockId))) throw new Problem('block_not_found');
    // The entry in the audit log does not have the prefix, because the prefix is personal data.
    await addAuditEntry(client, { tenant, owner: blockId, actor: clientId, action: 'block_removed' });
  });
  return { status: 204, headers };
};
