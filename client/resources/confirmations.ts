import type { CodePageRequest } from '../generated/schemas.ts';
import type { CallOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

/** Options of an e-mail, which has a link to a hosted page. */
export interface EmailOptions extends CallOptions {
  /** Where the page sends the person back. It must begin with an entry in the list of the client. */
  returnUrl?: string | undefined;
}

const returnHeader = (returnUrl: string | undefined) =>
  returnUrl === undefined ? {} : { header: { 'X-Countersign-Return-Url': returnUrl } };

/**
 * Codes and questions to the person. `validate…` succeeds for wrong codes too: `status` is the result, and only `Valid` confirms the person.
 */
export class Confirmations {
  constructor(private readonly transport: Transport) {}

  /** Sends a code by SMS. A second call sends the same code again. A call within a minute of the last message throws `resend_too_soon`. */
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

  /** Creates a link to a page, or a frame, on which the person enters the code of the newest SMS token. */
  createSmsTokenLink(id: string, body: CodePageRequest = {}, options?: CallOptions) {
    return this.transport.call('createSmsTokenLink', { path: { id }, body }, options);
  }

  /** Sends a code by e-mail. A second call sends a new code, which replaces the first. */
  sendEmailToken(id: string, { returnUrl, ...options }: EmailOptions = {}) {
    return this.transport.call('sendEmailToken', { path: { id }, ...returnHeader(returnUrl) }, options);
  }

  /** Checks a code that the person typed, like validateSmsToken. */
  validateEmailToken(id: string, code: string, options?: CallOptions) {
    return this.transport.call('validateEmailToken', { path: { id }, body: { value: code } }, options);
  }

  /** Creates a link to a page, or a frame, on which the person enters the code of the newest e-mail token. */
  createEmailTokenLink(id: string, body: CodePageRequest = {}, options?: CallOptions) {
    return this.transport.call('createEmailTokenLink', { path: { id }, body }, options);
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
  sendEmailSecondFactor(id: string, { returnUrl, ...options }: EmailOptions = {}) {
    return this.transport.call('sendEmailSecondFactor', { path: { id }, ...returnHeader(returnUrl) }, options);
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
