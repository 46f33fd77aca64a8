import type { CodePageRequest, NewQuestion } from '../generated/schemas.ts';
import type { CallOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

/** Options of an e-mail, which has a link to a hosted page. */
export interface EmailOptions extends CallOptions {
  /** The address to which the page sends the person back. It must begin with a return URL that an operator allowed for the client. */
  returnUrl?: string | undefined;
}

/** Options of a question. */
export interface QuestionOptions extends CallOptions {
  /** What the person is doing, as the question says. Default: sign-up. */
  purpose?: NewQuestion['purpose'];
}

const purposeBody = (purpose: NewQuestion['purpose']) => ({ body: purpose === undefined ? {} : { purpose } });

const returnHeader = (returnUrl: string | undefined) =>
  returnUrl === undefined ? {} : { header: { 'X-Countersign-Return-Url': returnUrl } };

/**
 * Codes and questions to the person. The methods `validate…` do not throw for a wrong code: the result is in `status`. Only the status
 * `Valid` confirms the person.
 */
export class Confirmations {
  constructor(private readonly transport: Transport) {}

  /** Sends a code by SMS. A second call sends the same code again. A call within a minute of the last message throws `resend_too_soon`. */
  sendSmsToken(id: string, options?: CallOptions) {
    return this.transport.call('sendSmsToken', { path: { id } }, options);
  }

  /**
   * Checks a code that the person typed. Each call uses one attempt, except a repeat with the same idempotency key. If the status is
   * `Invalid`, the header X-Attempts-Remaining has the number of attempts that are left.
   */
  validateSmsToken(id: string, code: string, options?: CallOptions) {
    return this.transport.call('validateSmsToken', { path: { id }, body: { value: code } }, options);
  }

  /**
   * Creates a link to a hosted page on which the person enters the code of the newest SMS token.
   * If the origin of your site is allowed, your site can show the page in a frame.
   */
  createSmsTokenLink(id: string, body: CodePageRequest = {}, options?: CallOptions) {
    return this.transport.call('createSmsTokenLink', { path: { id }, body }, options);
  }

  /** Sends a code by e-mail. Each further call sends a new code, which replaces the earlier code. */
  sendEmailToken(id: string, { returnUrl, ...options }: EmailOptions = {}) {
    return this.transport.call('sendEmailToken', { path: { id }, ...returnHeader(returnUrl) }, options);
  }

  /** Checks a code that the person typed, like validateSmsToken. */
  validateEmailToken(id: string, code: string, options?: CallOptions) {
    return this.transport.call('validateEmailToken', { path: { id }, body: { value: code } }, options);
  }

  /**
   * Creates a link to a hosted page on which the person enters the code of the newest e-mail token.
   * If the origin of your site is allowed, your site can show the page in a frame.
   */
  createEmailTokenLink(id: string, body: CodePageRequest = {}, options?: CallOptions) {
    return this.transport.call('createEmailTokenLink', { path: { id }, body }, options);
  }

  retrieveEmailToken(id: string, options?: CallOptions) {
    return this.transport.call('getEmailToken', { path: { id } }, options);
  }

  /** Asks a yes/no question by SMS. */
  sendSmsSecondFactor(id: string, { purpose, ...options }: QuestionOptions = {}) {
    return this.transport.call('sendSmsSecondFactor', { path: { id }, ...purposeBody(purpose) }, options);
  }

  /** Each status that the questions by SMS had, newest first. */
  listSmsSecondFactors(id: string, options?: CallOptions) {
    return this.transport.call('listSmsSecondFactors', { path: { id } }, options);
  }

  /** Asks a yes/no question by e-mail. */
  sendEmailSecondFactor(id: string, { returnUrl, purpose, ...options }: EmailOptions & QuestionOptions = {}) {
    return this.transport.call(
      'sendEmailSecondFactor',
      { path: { id }, ...returnHeader(returnUrl), ...purposeBody(purpose) },
      options,
    );
  }

  /** Each status that the questions by e-mail had, newest first. */
  listEmailSecondFactors(id: string, options?: CallOptions) {
    return this.transport.call('listEmailSecondFactors', { path: { id } }, options);
  }

  /** Sends a code on WhatsApp. Each further call sends a new code, which replaces the earlier code. */
  sendWhatsappToken(id: string, options?: CallOptions) {
    return this.transport.call('sendWhatsappToken', { path: { id } }, options);
  }

  /** Checks a code that the person typed, like validateSmsToken. */
  validateWhatsappToken(id: string, code: string, options?: CallOptions) {
    return this.transport.call('validateWhatsappToken', { path: { id }, body: { value: code } }, options);
  }

  /**
   * Creates a link to a hosted page on which the person enters the code of the newest WhatsApp token.
   * If the origin of your site is allowed, your site can show the page in a frame.
   */
  createWhatsappTokenLink(id: string, body: CodePageRequest = {}, options?: CallOptions) {
    return this.transport.call('createWhatsappTokenLink', { path: { id }, body }, options);
  }

  /** Calls the person and tells a code. A second call tells the same code again. */
  sendVoiceToken(id: string, options?: CallOptions) {
    return this.transport.call('sendVoiceToken', { path: { id } }, options);
  }

  /** Checks a code that the person typed, like validateSmsToken. */
  validateVoiceToken(id: string, code: string, options?: CallOptions) {
    return this.transport.call('validateVoiceToken', { path: { id }, body: { value: code } }, options);
  }

  /**
   * Creates a link to a hosted page on which the person enters the code of the newest voice token.
   * If the origin of your site is allowed, your site can show the page in a frame.
   */
  createVoiceTokenLink(id: string, body: CodePageRequest = {}, options?: CallOptions) {
    return this.transport.call('createVoiceTokenLink', { path: { id }, body }, options);
  }

  /** Asks a yes/no question on WhatsApp. */
  sendWhatsappSecondFactor(id: string, { purpose, ...options }: QuestionOptions = {}) {
    return this.transport.call('sendWhatsappSecondFactor', { path: { id }, ...purposeBody(purpose) }, options);
  }

  /** Each status that the questions on WhatsApp had, newest first. Undefined if there was no question. */
  listWhatsappSecondFactors(id: string, options?: CallOptions) {
    return this.transport.call('listWhatsappSecondFactors', { path: { id } }, options);
  }
}
