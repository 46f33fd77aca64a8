import { limits } from '../../domain/limits';
import type { TestMode } from '../../platform/test-mode/test-mode';
import type { ExceptionalLimits } from '../exceptional-limits';

/** More than anybody tests in a day. */
const unlimited = 1_000_000;

/**
 * Test phones and mailboxes have no limits of the day, so that their tests can be repeated. The limits of a confirmation and of a
 * transaction apply. One phone and mailbox has no messages left from the start.
 */
export function createTestLimits(testMode: TestMode): ExceptionalLimits {
  const { destinationWindowMs: windowMs } = limits;
  return (destination) => {
    const found = testMode.findDestination(destination);
    if (!found) return undefined;
    const perTenant = found.isAtLimit ? 0 : unlimited;
    return {
      send: {
        destination: { perTenant, total: unlimited, guaranteed: 0, windowMs },
        daily: [],
        lowAnswerRate: { messages: unlimited, rate: 0, blockHours: 0 },
      },
      attempts: { perTenant: unlimited, total: unlimited, windowMs },
    };
  };
}
