import type { Attributes } from '@opentelemetry/api';
import type { ExportResult } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';

/** The attributes of spans that leave the process. None of them has personal data. */
const sentAttributes: ReadonlySet<string> = new Set([
  'http.request.method',
  'http.route',
  'http.response.status_code',
  'error.type',
  'db.system.name',
  'db.operation.name',
  'db.collection.name',
  'messaging.system',
  'countersign.channel',
  'countersign.tenant',
  'countersign.transaction_id',
  'countersign.request_id',
  // Of the interceptors of Temporal.
  'temporalWorkflowId',
  'temporalActivityId',
  'temporalUpdateId',
  'run_id',
]);

function pickSent(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => sentAttributes.has(name)));
}

/**
 * Sends spans without the texts of errors: messages, stacks and unknown attributes can have personal data, such as the phone in an answer of
 * Twilio. Interceptors of libraries add them.
 */
export class SafeSpanExporter implements SpanExporter {
  constructor(private readonly exporter: SpanExporter) {}

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    const safe = spans.map((span): ReadableSpan => {
      const { code } = span.status;
      const own = { attributes: pickSent(span.attributes), status: { code }, events: [], links: [] };
      // Spans have accessors, so they cannot be copied.
      return Object.create(span, Object.fromEntries(Object.entries(own).map(([name, value]) => [name, { value }])));
    });
    this.exporter.export(safe, done);
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  async forceFlush(): Promise<void> {
    await this.exporter.forceFlush?.();
  }
}
