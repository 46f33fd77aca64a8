import type { CallOptions, QueryOf } from '../operation.ts';
import type { Transport } from '../transport.ts';

/** Blocks of phone prefixes. While a prefix is blocked, its phones get no messages. */
export class Blocks {
  constructor(private readonly transport: Transport) {}

  /** Newest first. */
  list(query: QueryOf<'listBlocks'> = {}, options?: CallOptions) {
    return this.transport.list('listBlocks', 'blocks', { query }, options);
  }

  /** Removes a block. The phones of the prefix can then get messages at once. */
  remove(blockId: string, options?: CallOptions) {
    return this.transport.call('removeBlock', { path: { blockId } }, options);
  }
}
