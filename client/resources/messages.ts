import type { CallOptions, QueryOf } from '../operation.ts';
import type { Transport } from '../transport.ts';

/** What became of the messages of your tenant. */
export class Messages {
  constructor(private readonly transport: Transport) {}

  /** How many codes and questions were sent, delivered and answered, by the values in `groupBy`. */
  conversion(query: QueryOf<'getConversion'>, options?: CallOptions) {
    return this.transport.call('getConversion', { query }, options);
  }
}
