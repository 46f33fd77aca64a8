import { activityInfo, ApplicationFailure } from '@temporalio/activity';
import type { Logger } from '../platform/logger';
import type { Activities } from '../workflows/ports';
import { deliver, type DeliveryDependencies } from './deliver';

/** Delivers, and writes one line per attempt from an allow-list: no address, no text, no words of a provider. */
export function createDelivery(dependencies: DeliveryDependencies, logger: Logger): Activities['deliverMessage'] {
  return async (message) => {
    const started = Date.now();
    const { attempt, workflowExecution } = activityInfo();
    const line = (outcome: string, providerCode?: string) => ({
      workflowId: workflowExecution?.workflowId,
      sendId: message.sendId,
      ...(message.flow.origin ? { step: message.flow.origin } : {}),
      channel: message.flow.channel,
      outcome,
      attempt,
      ms: Date.now() - started,
      ...(providerCode ? { providerCode } : {}),
    });
    try {
      const { providerId, outcome } = await deliver(dependencies, message);
      logger.info(line(outcome), 'message accepted');
      return { providerId };
    } catch (error) {
      const [details] = error instanceof ApplicationFailure ? (error.details ?? []) : [];
      const { providerCode } = (details ?? {}) as { providerCode?: string };
      const outcome =
        error instanceof ApplicationFailure ? error.type : error instanceof Error ? error.name : undefined;
      logger.warn(line(outcome ?? 'unknown', providerCode), 'message not accepted');
      throw error;
    }
  };
}
