import { z } from 'zod';
import { pageParameters } from '../http/page-query';
import { utcTime } from '../http/response-fields';
import type { ApiRoute } from '../http/route';
import { deleteBlock, getBlocks } from './blocks';

const blocksResponse = z.strictObject({
  blocks: z.array(
    z.strictObject({
      id: z.uuid(),
      prefix: z.string().meta({ description: 'Phone numbers without their last four digits', example: '+551198765' }),
      reason: z.enum(['lowConversion']),
      sent: z.int().meta({ description: 'Messages to the prefix in the 24 hours before the block' }),
      answered: z.int().meta({ description: 'How many of them were answered' }),
      createdAt: utcTime,
      endsAt: utcTime,
    }),
  ),
  next: z.string().optional(),
});

/** Blocks of phone prefixes; not in SPEC. */
export const blockRoutes: readonly ApiRoute[] = [
  {
    operationId: 'listBlocks',
    method: 'get',
    path: '/v1/blocks',
    scope: 'blocks:manage',
    summary: 'List the phone prefixes to which messages are blocked, newest first',
    responses: { 200: blocksResponse },
    provides: { blockId: '$response.body#/blocks/0/id' },
    problems: ['validation_failed', 'unknown_field'],
    parameters: pageParameters,
    handler: getBlocks,
  },
  {
    operationId: 'removeBlock',
    method: 'delete',
    path: '/v1/blocks/{blockId}',
    scope: 'blocks:manage',
    summary: 'Remove a block, so that messages are sent again at once',
    responses: { 204: 'The block is removed' },
    problems: ['block_not_found'],
    handler: deleteBlock,
  },
];
