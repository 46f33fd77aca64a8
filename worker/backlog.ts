import type { Logger } from '../platform/logger';
import { errorName, type Pool } from '../platform/postgres/postgres';
import { observeGauge } from '../platform/telemetry/metrics';
import { measureBacklog } from '../store/backlog.sql';

type Measured = Awaited<ReturnType<typeof measureBacklog>>;

/** Each worker measures at most this often, however many systems collect its metrics. */
const measureEveryMs = 10_000;

/**
 * Measures the work that waits in Postgres whenever metrics are collected. All workers report the same values, so queries use `max`. During an
 * outage of Postgres, there are no values, because the last ones would hide it.
 */
export function observeBacklog(pool: Pool, logger: Pick<Logger, 'warn'>): void {
  let measuring: Promise<Measured | undefined> | undefined;
  let measuredAt = 0;
  const measure = () => {
    if (measuring && Date.now() - measuredAt < measureEveryMs) return measuring;
    measuredAt = Date.now();
    measuring = measureBacklog(pool).catch((error: unknown) => {
      logger.warn({ failure: errorName(error) }, 'the backlog could not be measured');
      return undefined;
    });
    return measuring;
  };
  observeGauge('countersign.backlog', { description: 'Work that is due and not done' }, async (observe) => {
    for (const { name, count } of (await measure())?.backlogs ?? []) observe(count, { queue: name });
  });
  const ageOptions = { description: 'For how long the oldest work has been due' };
  observeGauge('countersign.backlog.age.seconds', ageOptions, async (observe) => {
    for (const { name, oldestSeconds } of (await measure())?.backlogs ?? []) observe(oldestSeconds, { queue: name });
  });
  const openOptions = { description: 'Transactions that wait for something, by the time since their last change' };
  observeGauge('countersign.transactions.open', openOptions, async (observe) => {
    for (const { age, count } of (await measure())?.open ?? []) observe(count, { age });
  });
}
