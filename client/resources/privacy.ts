import type { ErasureRequest, ExportRequest } from '../generated/schemas.ts';
import type { CallOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

/** What a privacy law such as the LGPD lets a person request: an export or the erasure of all their data. Finds the data by document. */
export class Privacy {
  constructor(private readonly transport: Transport) {}

  /** Everything that your tenant has about a person. Each item of the list is one transaction. */
  export(body: ExportRequest, options?: CallOptions) {
    return this.transport.list('exportPerson', 'transactions', { body }, options);
  }

  /** Erases all transactions of a person. If `complete` in the result is false, call this method again. This cannot be undone. */
  erase(body: ErasureRequest, options?: CallOptions) {
    return this.transport.call('erasePerson', { body }, options);
  }
}
