import { type DeliveryStatus, deliveryStatusToSend, messagesChangedBy } from '../../domain/confirmations/delivery';
import type { StatusEvent } from '../../store/messages/provider-events.sql';
import { type ReportedSend, saveStatusReports, type StatusReport } from '../../store/messages/sends/status-reports.sql';
import type { Needs } from '../dependencies';
import type { TransactionWork } from '../transactions/transactions';
import { deliveryStatusOf, sameOrLaterStatuses } from './twilio-statuses';

/** A report that waits to be saved. */
interface WaitingReport {
  report: StatusReport;
  resolve: (send: ReportedSend | undefined) => void;
  reject: (error: unknown) => void;
}

/** How many reports one statement saves. It locks as many rows until it ends. */
const batchMax = 200;

/**
 * Saves the status reports of the provider. While one statement runs, the reports that arrive wait for the next, which saves them together.
 * So a burst costs few commits, and a single report waits for nothing.
 */
export class StatusReports {
  #waiting: WaitingReport[] = [];
  #isSaving = false;

  constructor(private readonly dependencies: Needs<'logger' | 'pool' | 'transactions'>) {}

  /**
   * Saves a report. If its transaction must be told first, returns the work that tells it, and then saves the report. The number of connections
   * of the API limits how many reports wait.
   */
  async take(event: StatusEvent): Promise<TransactionWork | undefined> {
    const status = deliveryStatusOf(event.status);
    if (!status) return undefined;
    const send = await this.#save(event, status, false);
    if (!send?.mustBeTold) return undefined;
    const target = { tenant: send.tenant, id: send.transactionId };
    return { target, run: () => this.#tell(send, event, status) };
  }

  async #tell(send: ReportedSend, event: StatusEvent, status: DeliveryStatus): Promise<void> {
    const { sendId, code } = event;
    const { tenant, transactionId: id, channel } = send;
    const told = deliveryStatusToSend(send, deliveryStatusOf(send.providerStatus), status);
    if (told)
      await this.dependencies.transactions.reportDeliveryStatus(
        { tenant, id },
        { sendId, status: told, ...(code && told === 'failed' ? { code } : {}) },
      );
    if (told === 'failed')
      this.dependencies.logger.warn(
        { transactionId: id, sendId, channel, providerStatus: event.status, ...(code ? { providerCode: code } : {}) },
        'the provider did not deliver a message',
      );
    await this.#save(event, status, true);
  }

  #save(event: StatusEvent, meaning: DeliveryStatus, isTold: boolean): Promise<ReportedSend | undefined> {
    const { sendId, providerId, status, code } = event;
    const report = {
      ...{ sendId, providerId, status, isTold },
      ...(code === undefined ? {} : { code }),
      sameOrLater: sameOrLaterStatuses(status),
      relevantTo: messagesChangedBy(meaning),
    };
    return new Promise((resolve, reject) => {
      this.#waiting.push({ report, resolve, reject });
      if (this.#isSaving) return;
      this.#isSaving = true;
      void this.#saveWaiting();
    });
  }

  /** Saves reports until none waits. Never rejects. */
  async #saveWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#takeBatch();
      try {
        const sends = await saveStatusReports(
          this.dependencies.pool,
          [...batch.values()].map(({ report }) => report),
        );
        const sendById = new Map(sends.map((send) => [send.sendId, send]));
        for (const [sendId, { resolve }] of batch) resolve(sendById.get(sendId));
      } catch (error) {
        for (const { reject } of batch.values()) reject(error);
      }
    }
    this.#isSaving = false;
  }

  /** Takes the oldest reports, at most one of each send: the reports of a send are saved one after the other. */
  #takeBatch(): Map<string, WaitingReport> {
    const batch = new Map<string, WaitingReport>();
    this.#waiting = this.#waiting.filter((waiting) => {
      if (batch.size >= batchMax || batch.has(waiting.report.sendId)) return true;
      batch.set(waiting.report.sendId, waiting);
      return false;
    });
    return batch;
  }
}
