import type { BiometricsRequest } from '../generated/schemas.ts';
import type { CallOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

/** Images of document and face. */
export class Biometrics {
  constructor(private readonly transport: Transport) {}

  /** Creates a link to the hosted page. With `channels`, the service also sends it to the person. */
  createLink(id: string, body: BiometricsRequest = {}, options?: CallOptions) {
    return this.transport.call('createBiometricsLink', { path: { id }, body }, options);
  }

  /** URLs of the images of the document. They expire. */
  retrieveDocument(id: string, options?: CallOptions) {
    return this.transport.call('getDocumentImages', { path: { id } }, options);
  }

  /** The URL of the selfie. It expires. */
  retrieveSelfie(id: string, options?: CallOptions) {
    return this.transport.call('getSelfieImage', { path: { id } }, options);
  }

  /** Erases all images of the transaction. This cannot be undone. */
  eraseImages(id: string, options?: CallOptions) {
    return this.transport.call('eraseImages', { path: { id } }, options);
  }

  /** Who read, changed or erased the images. */
  listAudit(id: string, options?: CallOptions) {
    return this.transport.call('listImageAudit', { path: { id } }, options);
  }
}
