import { errorName, type Logger } from '../../platform/logger';
import { type Rounds, startRounds } from '../../platform/rounds';
import { observeGauge } from '../../platform/telemetry/metrics';
import type { WhatsappApprovals } from './whatsapp-approvals';

/** How often the worker looks whether a check is due. See `WhatsappApprovals.isDue`. */
const intervalMs = 15_000;

interface ApprovalWatchDependencies {
  approvals: readonly WhatsappApprovals[];
  logger: Logger;
}

/**
 * Checks in each worker which WhatsApp templates of the service are approved, for a metric, the log and an alert. After an
 * error, the metric keeps the last values.
 */
export function watchApprovals({ approvals, logger }: ApprovalWatchDependencies): Rounds {
  const description = 'WhatsApp templates of the service, by the status of their approval';
  observeGauge('countersign.whatsapp.templates', { description }, (observe) => {
    for (const { provider, counts } of approvals)
      for (const [status, count] of Object.entries(counts ?? {})) observe(count, { provider, status });
  });
  const warn = (failure: unknown, provider?: string) =>
    logger.warn({ provider, failure: errorName(failure) }, 'the status of WhatsApp templates cannot be read');
  const round = async () => {
    for (const account of approvals) {
      if (!account.isDue(Date.now())) continue;
      await account.check().catch((error: unknown) => warn(error, account.provider));
    }
  };
  return startRounds(intervalMs, round, warn);
}
