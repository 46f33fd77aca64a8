import type { CallOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

/**
 * Codes and questions to the person. `validate…` succeeds for wrong codes too: `status` is the result, and only `Valid` confirms the person.
 */
export class Confirmations {
  constructor(private readonly transport: Transport) {}

  /** Sends a code by SMS. A second call sends the same code again. It succeeds only after a minute. */
  sendSmsToken(id: string, options?: CallOptions) {
    return this.transport.call('sendSmsToken', { path: { id } }, options);
  }

  /**
   * Checks a code that the person typed. Each call uses one attempt, except a repeat with the same key. With `Invalid`, the header
   * X-Attempts-Remaining has the number of attempts that are left.
   */
  validateSmsToken(id: string, code: string, options?: CallOptions) {
    return this.transport.call('validateSmsToken', { path: { id }, body: { value: code } }, options);
  }

  /** Sends a code by e-mail. A second call sends a new code, which replaces the first. */
  sendEmailToken(id: string, options?: CallOptions) {
    return this.transport.call('sendEmailToken', { path: { id } }, options);
  }

  /** Checks a code that the person typed, like validateSmsToken. */
  validateEmailToken(id: string, code: string, options?: CallOptions) {
    return this.transport.call('validateEmailToken', { path: { id }, body: { value: code } }, options);
  }

  retrieveEmailToken(id: string, options?: CallOptions) {
    return this.transport.call('getEmailToken', { path: { id } }, options);
  }

  /** Asks a yes/no question by SMS. */
  sendSmsSecondFactor(id: string, options?: CallOptions) {
    return this.transport.call('sendSmsSecondFactor', { path: { id } }, options);
  }

  /** Each status that the questions by SMS had, newest first. */
  listSmsSecondFactors(id: string, options?: CallOptions) {
    return this.transport.call('listSmsSecondFactors', { path: { id } }, options);
  }

  /** Asks a yes/no question by e-mail. */
  sendEmailSecondFactor(id: string, options?: CallOptions) {
    return this.transport.call('sendEmailSecondFactor', { path: { id } }, options);
  }

  /** Each status that the questions by e-mail had, newest first. */
  listEmailSecondFactors(id: string, options?: CallOptions) {
    return this.transport.call('listEmailSecondFactors', { path: { id } }, options);
  }

  /** Asks a yes/no question on WhatsApp. */
  sendWhatsappSecondFactor(id: string, options?: CallOptions) {
    return this.transport.call('sendWhatsappSecondFactor', { path: { id } }, options);
  }

  /** Each status that the questions on WhatsApp had, newest first. Undefined if there was none. */
  listWhatsappSecondFactors(id: string, options?: CallOptions) {
    return this.transport.call('listWhatsappSecondFactors', { path: { id } }, options);
  }
}
