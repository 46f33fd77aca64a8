import type { SharedConfig } from '../config';
import { canonicalMailbox } from '../mailbox';
import { type TestDestination, testDestinations, type TestDocument, testDocuments } from './test-values';

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
