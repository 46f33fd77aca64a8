import { within } from '../platform/deadline';
import { errorName, type Logger } from '../platform/logger';
import type { Pool } from '../platform/postgres/postgres';
import { observeGauge } from '../platform/telemetry/metrics';
import { measureProviderEvents } from '../store/messages/provider-events.sql';
import { countOpenTransactions, measureDueTransactions } from '../store/transactions/list-transactions.sql';
import { measureUntriedDeliveries } from '../store/webhooks/webhook-deliveries.sql';

/** Each worker measures at most this often, however many systems collect its metrics. */
const measureEveryMs = 10_000;
/**
 * How long a collection waits for Postgres. Without this limit, a database that does not answer would look like a worker that is down, because
 * Prometheus waits for an answer only for some seconds.
 */
const measureWithinMs = 1_000;

/** The work of all tenants that waits in Postgres. The names of the backlogs are values of a label. */
export async function measureWaitingWork(pool: Pool) {
  const [due_transactions, provider_events, webhook_deliveries, open] = await Promise.all([
    measureDueTransactions(pool),
    measureProviderEvents(pool),
    measureUntriedDeliveries(pool),
    countOpenTransactions(pool),
  ]);
  return { backlogs: { due_transactions, provider_events, webhook_deliveries }, open };
}

/**
 * Measures the work that waits in Postgres whenever metrics are collected. All workers report the same values, so queries use `max`. During an
 * outage of Postgres, there are no values, because the last ones would hide it.
 */
export function observeBacklog(pool: Pool, logger: Pick<Logger, 'warn'>): void {
  let measuring: ReturnType<typeof measureWaitingWork> | undefined;
  let measuredAt = 0;
  const read = async () => {
    if (!measuring || Date.now() - measuredAt >= measureEveryMs) {
      measuredAt = Date.now();
      measuring = measureWaitingWork(pool);
    }
    const late = () => {
      throw new Error('Postgres does not answer.');
    };
    return within(measureWithinMs, measuring, late).catch((error: unknown) => {
      logger.warn({ failure: errorName(error) }, 'the backlog could not be measured');
      return undefined;
    });
  };
  observeGauge('countersign.backlog', { description: 'Work that is due and not done' }, async (observe) => {
    for (const [queue, { count }] of Object.entries((await read())?.backlogs ?? {})) observe(count, { queue });
  });
  const ageOptions = { description: 'For how long the oldest work has been due' };
  observeGauge('countersign.backlog.age.seconds', ageOptions, async (observe) => {
    for (const [queue, { oldestSeconds }] of Object.entries((await read())?.backlogs ?? {}))
      observe(oldestSeconds, { queue });
  });
  const openOptions = { description: 'Transactions that wait for something, by the time since their last change' };
  observeGauge('countersign.transactions.open', openOptions, async (observe) => {
    for (const [age, count] of Object.entries((await read())?.open ?? {})) observe(count, { age });
  });
}
