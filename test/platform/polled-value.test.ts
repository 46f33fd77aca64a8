import { createLogger } from '../../platform/logger';
import { openGuide } from '../support/guide';
import { PolledValue, seenWithinSeconds } from '../../platform/postgres/polled-value';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const logger = createLogger('test', 'silent');

test.each([0, 1, 250, 500, 999, 1_000, 1_001, 1_999])(
  'a change %i ms after the start is seen within the promised time, even if a read takes as long as an interval',
  async (changedAfterMs) => {
    let stored = 'before';
    const read = async () => {
      const found = stored;
      await new Promise((resolve) => setTimeout(resolve, 999));
      return found;
    };
    const polled = new PolledValue(read, logger, 'the value cannot be read');
    await jest.advanceTimersByTimeAsync(changedAfterMs);
    stored = 'after';
    await jest.advanceTimersByTimeAsync(seenWithinSeconds * 1_000);
    expect(polled.value).toBe('after');
    polled.stop();
  },
);

test('the guide to clients and keys promises this time, for all three ways to end access tokens', () => {
  const { guide } = openGuide('keys.md');
  const promises = Array.from(
    guide.matchAll(
      /access tokens [^.\n]*end [^.\n]*?within (\d+) seconds|end the access tokens [^.\n]*?within (\d+) seconds/gi,
    ),
  );
  expect(promises.map(([, first, second]) => Number(first ?? second))).toEqual(promises.map(() => seenWithinSeconds));
  expect(promises).toHaveLength(3);
});
