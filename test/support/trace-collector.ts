import http from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import * as root from '@opentelemetry/otlp-transformer/build/src/generated/root';

/** A span as a collector gets it. Ids are in hexadecimal. */
export interface CollectedSpan {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentSpanId: string;
  attributes: Record<string, string>;
}

/** A collector of traces for tests: it keeps everything that it gets. */
export interface TraceCollector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  endpoint: string;
  spans: CollectedSpan[];
  /** The bodies of all requests. */
  bodies: Buffer[];
  stop: () => void;
}

interface KeyValue {
  key: string;
  value?: { stringValue?: string; intValue?: { toString(): string } };
}

interface ExportRequest {
  resourceSpans: {
    resource: { attributes: KeyValue[] };
    scopeSpans: {
      spans: (Record<'traceId' | 'spanId' | 'parentSpanId', Uint8Array> & { name: string; attributes: KeyValue[] })[];
    }[];
  }[];
}

const { ExportTraceServiceRequest } = (
  root as unknown as {
    opentelemetry: {
      proto: { collector: { trace: { v1: { ExportTraceServiceRequest: { decode(bytes: Buffer): ExportRequest } } } } };
    };
  }
).opentelemetry.proto.collector.trace.v1;

const hex = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('hex');
const valuesOf = (attributes: readonly KeyValue[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value?.stringValue || String(value?.intValue ?? '')]));

/** Starts a collector on a free port. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const bodies: Buffer[] = [];
  const server = http.createServer(
    (request, response) =>
      void buffer(request).then((body) => {
        bodies.push(body);
        for (const { resource, scopeSpans } of ExportTraceServiceRequest.decode(body).resourceSpans)
          for (const { name, attributes, ...ids } of scopeSpans.flatMap((scope) => scope.spans))
            spans.push({
              service: valuesOf(resource.attributes)['service.name'] ?? '',
              name,
              traceId: hex(ids.traceId),
              spanId: hex(ids.spanId),
              parentSpanId: hex(ids.parentSpanId),
              attributes: valuesOf(attributes),
            });
        response.end();
      }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ spans, bodies },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
