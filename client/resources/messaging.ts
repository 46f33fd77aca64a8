import type { CallOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

/** The providers of messages. */
export class Messaging {
  constructor(private readonly transport: Transport) {}

  /** The providers of all channels, and whether they work. */
  providers(options?: CallOptions) {
    return this.transport.call('listProviders', {}, options);
  }
}
