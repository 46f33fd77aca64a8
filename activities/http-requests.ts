import { once, setMaxListeners } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { asyncLocalStorage, cancellationSignal } from '@temporalio/activity';
import type { z } from 'zod';
import { createPublicLookup, isPublicAddress, PrivateAddressError } from '../platform/ip-addresses';
import { inSpan } from '../platform/telemetry/spans';

/**
 * Returns a signal that aborts a request to another server. The signal aborts after `ms`, or immediately when the activity is canceled, for
 * example because its worker stops. Outside of an activity, only the time counts.
 */
export function deadline(ms: number): AbortSignal {
  const controller = new AbortController();
  // Not AbortSignal.any: in Node 20, garbage collection can remove a combined signal before it fires.
  setTimeout(() => controller.abort(new DOMException('The deadline has passed.', 'TimeoutError')), ms).unref();
  const cancellation = asyncLocalStorage.getStore()?.cancellationSignal;
  if (!cancellation) return controller.signal;
  const cancel = () => controller.abort(cancellation.reason);
  // An activity that delivers events makes many requests. Its listeners end with it, so a warning of a leak would be wrong.
  setMaxListeners(0, cancellation);
  if (cancellation.aborted) cancel();
  else cancellation.addEventListener('abort', cancel, { once: true });
  return controller.signal;
}

/**
 * Makes a request to an address that a tenant has chosen: without redirects, keep-alive or the proxies of the environment, and only if every
 * address of the name is public. Throws PrivateAddressError, or the error of the connection.
 */
export async function requestPublic(
  url: string,
  { body, ...options }: { method: string; headers: Record<string, string>; body?: string; signal: AbortSignal },
): Promise<{ status: number; body: AsyncIterable<Uint8Array> }> {
  const { protocol, hostname } = new URL(url);
  // Node calls `lookup` only for names, not for IP addresses.
  if (isPublicAddress(hostname) === false) throw new PrivateAddressError();
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const request = (protocol === 'https:' ? https : http).request(url, {
    ...options,
    agent: false,
    headers: { ...options.headers, ...length },
    lookup: createPublicLookup(),
  });
  // An aborted request emits a second error. Without a listener, it would end the process.
  request.on('error', () => undefined);
  const answered = once(request, 'response', { signal: options.signal });
  request.end(body);
  const [response] = (await answered) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: response };
}

/**
 * Reads the body of a response. If the body is longer than `bytesMax`, returns undefined and closes the connection. `bytesMax` is the size
 * after decompression, because `fetch` decompresses bodies.
 */
export async function readWithLimit(
  body: AsyncIterable<Uint8Array> | null,
  bytesMax: number,
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A provider of findings, such as a bureau. `timeoutMs` limits the whole request, including the last byte of the response. */
export interface FindingsProvider {
  url: string;
  /** The bearer token. Without it, the request has no Authorization header. */
  token?: string;
  timeoutMs: number;
}

/**
 * Why there is no answer. `timeout`: no complete response in time. `unreachable`: no connection, or a broken connection. `invalid`: the body
 * is not JSON in UTF-8, or does not match the schema. `size`: the body is too long.
 */
export type MissingAnswer = 'timeout' | 'unreachable' | 'invalid' | 'size';

/** Maximum size of a response. Fifty findings in three languages take less than half of this size. */
const bytesMax = 64 * 1024;

/**
 * Sends personal data to a provider with one POST, and never retries. `body`: JSON as a text, or a form. Returns the JSON of the response as
 * `schema` gives it, or why there is none; `status` if the status is not 200. No text of the response gets into the result, because it could
 * contain personal data. Throws only if the activity is canceled.
 */
export async function requestFindings<Schema extends z.ZodType>(
  { url, token, timeoutMs }: FindingsProvider,
  body: string | FormData,
  schema: Schema,
): Promise<{ answer: z.output<Schema> } | { failure: MissingAnswer } | { failure: 'status'; status: number }> {
  const signal = deadline(timeoutMs);
  try {
    const send = () =>
      fetch(url, {
        method: 'POST',
        // Redirects are not followed: personal data goes only to the address in the settings.
        redirect: 'manual',
        headers: {
          ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
          ...(token ? { authorization: `Bearer ${token}` } : {}),
        },
        body,
        signal,
      });
    const response = await inSpan('POST findings', { 'http.request.method': 'POST' }, send);
    if (response.status !== 200) {
      await response.body?.cancel();
      return { failure: 'status', status: response.status };
    }
    const bytes = await readWithLimit(response.body, bytesMax);
    return bytes ? parseAnswer(bytes, schema) : { failure: 'size' };
  } catch {
    // A canceled activity must end as canceled, and not continue as if the provider had failed.
    cancellationSignal().throwIfAborted();
    return { failure: signal.aborted ? 'timeout' : 'unreachable' };
  }
}

function parseAnswer<Schema extends z.ZodType>(bytes: Buffer, schema: Schema) {
  try {
    return { answer: schema.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))) };
  } catch {
    return { failure: 'invalid' as const };
  }
}
