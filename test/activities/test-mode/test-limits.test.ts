import { withTestLimits } from '../../../activities/test-mode/with-test-values';
import { openTestMode, testDestinations } from '../../../messages/test-mode';
import type { MessageToDeliver } from '../../../workflows/contract/activities';
import { createTestLimits } from '../../support/test-limits';

const testMode = openTestMode({ COUNTERSIGN_ENV: 'local', TEST_MODE: undefined });
if (!testMode) throw new Error('Test mode is off.');
const usual = createTestLimits();
const limits = withTestLimits(testMode, usual);
const messageTo = (destination: string) =>
  ({ tenant: 'local', destination, settings: { channel: 'sms' } }) as MessageToDeliver;

test('an ordinary phone keeps the limits of the service', () => {
  const phone = '+5511987654321';
  expect(limits.ofMessage(messageTo(phone), 'text')).toEqual(usual.ofMessage(messageTo(phone), 'text'));
  expect(limits.ofMessage(messageTo(phone), 'text').prefix).toBe('+551198765');
  expect(limits.ofAttempts(phone)).toEqual(usual.ofAttempts(phone));
});

test('a test phone has no daily limits, and its messages do not count for the limit of a prefix', () => {
  const { phone } = testDestinations.valid;
  const { destination, daily, prefix } = limits.ofMessage(messageTo(phone), 'text');
  expect(destination.perTenant).toBeGreaterThan(1_000);
  expect([daily, prefix]).toEqual([[], undefined]);
  expect(limits.ofAttempts(phone).perTenant).toBeGreaterThan(1_000);
});

test('the test phone for a reached limit has no messages left', () => {
  const { destination } = limits.ofMessage(messageTo(testDestinations.limit.phone), 'text');
  expect([destination.perTenant, destination.guaranteed]).toEqual([0, 0]);
});
