import type { BodyOf, CallOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

/** The providers of messages. */
export class Messaging {
  constructor(private readonly transport: Transport) {}

  /** The own settings of the tenant, with masked secrets. */
  get(options?: CallOptions) {
    return this.transport.call('getMessaging', {}, options);
  }

  /** Replaces the own settings of the tenant. */
  put(body: BodyOf<'putMessaging'>, options?: CallOptions) {
    return this.transport.call('putMessaging', { body }, options);
  }

  /** Deletes the own settings of the tenant: the providers of the service send its messages again. */
  delete(options?: CallOptions) {
    return this.transport.call('deleteMessaging', {}, options);
  }

  /** The providers of all channels, and whether they work. */
  providers(options?: CallOptions) {
    return this.transport.call('listProviders', {}, options);
  }
}
