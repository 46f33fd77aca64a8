import { setTimeout as pause } from 'node:timers/promises';
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

/** Thrown for a report whose send is locked, such as by an erasure. The report can be repeated later. */
export class SendLocked extends Error {
  override name = 'SendLocked';

  constructor() {
    super('Another statement has locked the send of a report.');
  }
}

/** The pause before a report is repeated whose send is locked. */
const lockPauseMs = 50;

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
   * of the API limits how many reports wait. Throws SendLocked.
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

  async #save(event: StatusEvent, meaning: DeliveryStatus, isTold: boolean): Promise<ReportedSend | undefined> {
    const { sendId, providerId, status, code } = event;
    const report = {
      ...{ sendId, providerId, status, isTold },
      ...(code === undefined ? {} : { code }),
      isDelivered: meaning === 'delivered' || meaning === 'read',
      sameOrLater: sameOrLaterStatuses(status),
      relevantTo: messagesChangedBy(meaning),
    };
    // The worker that has sent the message often saves its own result at the same time, within a millisecond.
    const send = await this.#enqueue(report);
    if (!send?.isLocked) return send;
    await pause(lockPauseMs);
    const sendAgain = await this.#enqueue(report);
    if (sendAgain?.isLocked) throw new SendLocked();
    return sendAgain;
  }

  #enqueue(report: StatusReport): Promise<ReportedSend | undefined> {
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
