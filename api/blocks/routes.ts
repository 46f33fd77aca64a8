import { z } from 'zod';
import { exampleOf, named } from '../http/openapi/schema-of';
import { pageParameters } from '../http/page-query';
import { nextPage, utcTime } from '../http/response-fields';
import type { ApiRoute } from '../http/route';
import { deleteBlock, getBlocks } from './blocks';

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
    summary: 'Remove a block, so that messages are sent again at once',
    responses: { 204: 'The block is removed' },
    problems: ['block_not_found'],
    handler: deleteBlock,
  },
];
