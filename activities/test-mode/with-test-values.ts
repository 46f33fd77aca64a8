import type { WorkerConfig } from '../../platform/config';
import { type TestDestination, type TestMode, withTestMode } from '../../messages/test-mode';
import type { Messaging } from '../../messages/messaging';
import { PostgresDayKeys } from '../../store/messages/day-keys';
import type { DeliveryDependencies } from '../messages/deliver';
import type { EvidenceSources } from '../../scoring/gather-evidence';
import { withTestEvidence } from '../../scoring/test-evidence';
import { createUsesLocalInbox, withTestDestinations } from './test-channels';
import { limits } from '../../domain/transactions/limits';
import type { MessageLimits } from '../messages/limits';

/** In test mode, puts fakes for test values in place of providers, limits and sources of evidence. See `withTestMode`. */
export function withTestValues<Dependencies extends DeliveryDependencies & EvidenceSources>(
  config: WorkerConfig,
  messaging: Messaging,
  dependencies: Dependencies,
): Dependencies {
  return withTestMode(config, dependencies, (testMode, usual) => {
    const { pool, keys, routes, limits } = usual;
    const dayKeys = new PostgresDayKeys(pool, keys.serviceKeys);
    const isInbox = createUsesLocalInbox(config, messaging);
    return {
      ...usual,
      ...withTestEvidence(testMode, usual),
      routes: withTestDestinations(routes, { testMode, pool, keys, dayKeys, isInbox }),
      limits: withTestLimits(testMode, limits),
    };
  });
}

/** More messages and attempts than anybody needs for tests in one day. */
const unlimited = 1_000_000;

/**
 * Test phones and mailboxes have no daily limits, so that tests with them can be repeated. The exception is one test phone and one test
 * mailbox (`isAtLimit`), to which no message can be sent. The limits per confirmation and per transaction apply to all test phones and
 * mailboxes. `usual`: the limits of all other phones and mailboxes.
 */
export function withTestLimits(testMode: TestMode, usual: MessageLimits): MessageLimits {
  const limitsOf = (destination: string): MessageLimits => {
    const found = testMode.findDestination(destination);
    return found ? createTestLimits(found) : usual;
  };
  return {
    ofMessage: (message, text) => limitsOf(message.destination).ofMessage(message, text),
    ofAttempts: (destination) => limitsOf(destination).ofAttempts(destination),
  };
}

function createTestLimits({ isAtLimit }: TestDestination): MessageLimits {
  const destination = { perTenant: unlimited, total: unlimited, windowMs: limits.destinationWindowMs };
  return {
    ofMessage: () => ({
      // `guaranteed`: messages that a tenant may always send.
      destination: { ...destination, ...(isAtLimit ? { perTenant: 0 } : {}), guaranteed: 0 },
      daily: [],
      lowAnswerRate: { messages: unlimited, rate: 0, blockHours: 0 },
    }),
    ofAttempts: () => destination,
  };
}
