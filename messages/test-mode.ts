import type { SharedConfig } from '../platform/config';
import type { Logger } from '../platform/logger';
import type { CodeKeys } from './codes';
import { canonicalMailbox } from './mailboxes';

/** Fixed outcomes for test values. A process has this object only in test mode. Without this object, no value is a test value. */
export interface TestMode {
  /** The outcome of a phone in E.164 or a mailbox, in any spelling. Undefined if it is not a test value. */
  findDestination(destination: string): TestDestination | undefined;
  /** The outcome of a CPF, with or without punctuation. Undefined if it is not a test value. */
  findDocument(document: string): TestDocument | undefined;
}

/**
 * The test values, if test mode is on. Undefined if test mode is off, so it is always undefined in production. The settings of a process
 * never change.
 */
export function openTestMode(config: Pick<SharedConfig, 'COUNTERSIGN_ENV' | 'TEST_MODE'>): TestMode | undefined {
  if (config.COUNTERSIGN_ENV === 'production' || config.TEST_MODE === 'false') return undefined;
  const destinations = new Map<string, TestDestination>(
    Object.values(testDestinations).flatMap((one: TestDestination) => [
      [one.phone, one],
      ...(one.mailbox === undefined ? [] : [[one.mailbox, one] as const]),
    ]),
  );
  const documents = new Map<string, TestDocument>(Object.values(testDocuments).map((one) => [one.document, one]));
  return {
    findDestination: (destination) => destinations.get(canonicalMailbox(destination) ?? destination),
    findDocument: (document) => documents.get(document.replace(/[\s./-]/g, '')),
  };
}

/**
 * The only place where a process decides whether test values have fixed outcomes. In test mode, gives test phones and mailboxes codes of
 * zeros, and returns the dependencies in which `withFakes` has put fakes in place of some of them. Without test mode, returns
 * `dependencies` unchanged.
 */
export function withTestMode<Dependencies extends { keys: CodeKeys; logger: Logger }>(
  config: Pick<SharedConfig, 'COUNTERSIGN_ENV' | 'TEST_MODE'>,
  dependencies: Dependencies,
  withFakes: (testMode: TestMode, dependencies: Dependencies) => Dependencies,
): Dependencies {
  const testMode = openTestMode(config);
  if (!testMode) return dependencies;
  dependencies.logger.info('test mode is on: test phones, mailboxes and documents have fixed outcomes');
  const hasTestCode = (destination: string) => testMode.findDestination(destination) !== undefined;
  return withFakes(testMode, { ...dependencies, keys: { ...dependencies.keys, hasTestCode } });
}

/**
 * A test phone with its test mailbox, and what happens to messages to them. If it has only `phone` and `mailbox`, messages arrive, and
 * nobody replies.
 */
export interface TestDestination {
  /** E.164. */
  phone: string;
  /** Absent if this outcome does not exist for e-mail. */
  mailbox?: string;
  /** These values replace the values in the confirmation settings. */
  settings?: { expiresAfterMs?: number; attemptLimit?: number };
  /** The code with which the provider rejects the message: the error code of Twilio, and the reply code of a mail server. */
  rejectedWith?: { phone: number; mailbox?: number };
  /** The error code with which the carrier reports that the message did not arrive. */
  undeliveredWith?: string;
  /** The meaning of the reply to a second factor. */
  reply?: 'yes' | 'no';
  /** The phone or mailbox has already got all its messages of the day. */
  isAtLimit?: true;
}

/**
 * The phones have the format of a mobile number, but belong to nobody. Real mobile numbers start with 91 to 99, and 90 is the prefix of
 * collect calls. The top-level domain of the mailboxes is reserved for tests (RFC 2606).
 */
export const testDestinations = {
  valid: { phone: '+5511900000000', mailbox: 'valid@countersign.test' },
  undelivered: { phone: '+5511900000001', undeliveredWith: '30005' },
  yes: { phone: '+5511900000002', mailbox: 'yes@countersign.test', reply: 'yes' },
  no: { phone: '+5511900000003', mailbox: 'no@countersign.test', reply: 'no' },
  blocked: { phone: '+5511900000004', mailbox: 'blocked@countersign.test', settings: { attemptLimit: 1 } },
  // 5 s are long enough to read the status `Waiting` first, and short enough for a test to wait until the confirmation expires.
  expired: { phone: '+5511900000005', mailbox: 'expired@countersign.test', settings: { expiresAfterMs: 5_000 } },
  silent: { phone: '+5511900000006', mailbox: 'silent@countersign.test' },
  rejected: {
    phone: '+5511900000007',
    mailbox: 'rejected@countersign.test',
    rejectedWith: { phone: 21_211, mailbox: 550 },
  },
  optedOut: { phone: '+5511900000008', rejectedWith: { phone: 21_610 } },
  limit: { phone: '+5511900000009', mailbox: 'limit@countersign.test', isAtLimit: true },
} as const satisfies Record<string, TestDestination>;

/** A test document, and what the service finds about it. */
export interface TestDocument {
  /** Digits of a CPF. */
  document: string;
  /** The score that the findings of a simulated bureau lead to. */
  score?: 'high' | 'low';
  /** The decision of the reviewer on the images. */
  review?: 'Approved' | 'Rejected' | 'Inconclusive';
}

/**
 * The CPFs with the numbers 1 to 5. No CPFs are reserved for tests, so these CPFs may belong to real persons. Therefore nothing about them
 * leaves the service.
 */
export const testDocuments = {
  highScore: { document: '00000000191', score: 'high' },
  lowScore: { document: '00000000272', score: 'low' },
  approved: { document: '00000000353', review: 'Approved' },
  rejected: { document: '00000000434', review: 'Rejected' },
  inconclusive: { document: '00000000515', review: 'Inconclusive' },
} as const satisfies Record<string, TestDocument>;
