import type { OptOutRelease, OptOutSearch } from '../generated/schemas.ts';
import type { CallOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

/** Persons who replied STOP, as far as your tenant has sent them messages. */
export class OptOuts {
  constructor(private readonly transport: Transport) {}

  /** Whether an opt-out stops your messages to a phone or mailbox. */
  search(body: OptOutSearch, options?: CallOptions) {
    return this.transport.call('searchOptOuts', { body }, options);
  }

  /** Allows messages of your tenant again. The person must have given consent after the opt-out: say in `reason` how. */
  release(body: OptOutRelease, options?: CallOptions) {
    return this.transport.call('releaseOptOut', { body }, options);
  }
}
