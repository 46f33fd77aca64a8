import type { BrandSettings } from '../generated/schemas.ts';
import type { CallOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

/** The brand: what persons see in messages, mails and pages. */
export class BrandResource {
  constructor(private readonly transport: Transport) {}

  /** The brand of the tenant, or the brand of the service if the tenant has set none. */
  retrieve(options?: CallOptions) {
    return this.transport.call('getBrand', {}, options);
  }

  /** Replaces the brand, except its logo. A repeat changes nothing. */
  update(body: BrandSettings, options?: CallOptions) {
    return this.transport.call('putBrand', { body }, options);
  }

  /** Checks a brand, and returns its colors and SMS texts. Saves nothing. */
  check(body: BrandSettings, options?: CallOptions) {
    return this.transport.call('checkBrand', { body }, options);
  }

  /** Sets the logo. `image`: a PNG, JPEG or WebP of at most 64 KB, in Base64. */
  setLogo(image: string, options?: CallOptions) {
    return this.transport.call('putBrandLogo', { body: { image } }, options);
  }

  removeLogo(options?: CallOptions) {
    return this.transport.call('removeBrandLogo', {}, options);
  }
}
