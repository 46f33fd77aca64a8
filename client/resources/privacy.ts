import type { ErasureRequest, ExportRequest } from '../generated/schemas.ts';
import type { CallOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

/** The rights of a person, by document. */
export class Privacy {
  constructor(private readonly transport: Transport) {}

  /** Everything that you have about a person, by transaction. */
  export(body: ExportRequest, options?: CallOptions) {
    return this.transport.list('exportPerson', 'transactions', { body }, options);
  }

  /** Erases all transactions of a person. If `complete` in the result is false, call this method again. This cannot be undone. */
  erase(body: ErasureRequest, options?: CallOptions) {
    return this.transport.call('erasePerson', { body }, options);
  }
}
