import { errorName, type Logger } from '../../platform/logger';
import { observeGauge } from '../../platform/telemetry/metrics';
import type { WhatsappApprovals } from './whatsapp-approvals';

/** How often the worker looks whether a check is due. See `WhatsappApprovals.isDue`. */
const intervalMs = 15_000;

interface ApprovalWatchDependencies {
  approvals: readonly WhatsappApprovals[];
  logger: Logger;
}

/**
 * Checks in each worker which WhatsApp templates of the service are approved, for a metric, the log and an alert. Nothing depends on a round:
 * after an error, the next one does the work, and the metric keeps the last values. Returns the function of a round, which never rejects, and one
 * that stops them.
 */
export function watchApprovals({ approvals, logger }: ApprovalWatchDependencies): {
  run: () => Promise<void>;
  stop: () => void;
} {
  const description = 'WhatsApp templates of the service, by the status of their approval';
  observeGauge('countersign.whatsapp.templates', { description }, (observe) => {
    for (const { provider, counts } of approvals)
      for (const [status, count] of Object.entries(counts ?? {})) observe(count, { provider, status });
  });
  let running: Promise<void> | undefined;
  const round = async () => {
    for (const account of approvals) {
      if (!account.isDue(Date.now())) continue;
      await account.check().catch((error: unknown) => {
        const { provider } = account;
        logger.warn({ provider, failure: errorName(error) }, 'the status of WhatsApp templates cannot be read');
      });
    }
  };
  const run = () => {
    running ??= round().finally(() => {
      running = undefined;
    });
    return running;
  };
  const timer = setInterval(() => void run(), intervalMs).unref();
  return { run, stop: () => clearInterval(timer) };
}
