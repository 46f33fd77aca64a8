import { limits } from '../../domain/transaction/limits';
import type { TestMode } from '../../messages/test-mode';
import type { MessageLimits } from '../message-limits';

/** More messages and attempts than anybody needs for tests in one day. */
const unlimited = 1_000_000;

/**
 * Test phones and mailboxes have no daily limits, so that tests with them can be repeated. The exception is one test phone and one test
 * mailbox (`isAtLimit`), to which no message can be sent. The limits per confirmation and per transaction apply to all test phones and
 * mailboxes. `usual`: the limits of all other phones and mailboxes.
 */
export function withTestLimits(testMode: TestMode, usual: MessageLimits): MessageLimits {
  const { destinationWindowMs: windowMs } = limits;
  return {
    ofMessage(message, text) {
      const found = testMode.findDestination(message.destination);
      if (!found) return usual.ofMessage(message, text);
      return {
        // `guaranteed`: messages that a tenant may always send.
        destination: { perTenant: found.isAtLimit ? 0 : unlimited, total: unlimited, guaranteed: 0, windowMs },
        daily: [],
        lowAnswerRate: { messages: unlimited, rate: 0, blockHours: 0 },
      };
    },
    ofAttempts: (destination) =>
      testMode.findDestination(destination)
        ? { perTenant: unlimited, total: unlimited, windowMs }
        : usual.ofAttempts(destination),
  };
}
