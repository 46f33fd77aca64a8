import twilio from 'twilio';
import type RequestClient from 'twilio/lib/base/RequestClient';
import { deadline } from '../http-requests';
import { DeliveryError, noConnectionCodes } from './provider';
import { twilioRefusal } from './twilio-refusals';

export interface TwilioAccount {
  accountSid: string;
  authToken: string;
  /** Address of an API that is compatible with Twilio. Default: Twilio. */
  baseUrl?: string | undefined;
}

/**
 * Timeout of a request. A caller waits for the first attempt to send, which may take 3.5 s. Of this time, one second is for the database.
 */
export const httpTimeoutMs = 2_500;

/** The HTTP client of the Twilio SDK. Limits the duration of every request, and sends the requests to `baseUrl` if it is set. */
class TwilioHttpClient extends twilio.RequestClient {
  constructor(private readonly baseUrl: string | undefined) {
    super({ timeout: httpTimeoutMs, autoRetry: false, keepAlive: true });
    // The timeout above starts again with every byte. This signal limits the time of the whole response.
    this.axios.interceptors.request.use((request) => {
      request.signal = deadline(httpTimeoutMs);
      return request;
    });
  }

  override async request<Data>(request: RequestClient.RequestOptions<Data>) {
    const response = await super.request({ ...request, uri: this.#withBaseUrl(request.uri) });
    if (response.statusCode === 429) throw new DeliveryError('notSent', '429', readRetryAfterMs(response.headers));
    return response;
  }

  #withBaseUrl(uri: string): string {
    if (this.baseUrl === undefined) return uri;
    const { pathname, search } = new URL(uri);
    return new URL(`${pathname}${search}`, this.baseUrl).href;
  }
}

/** Most messages expire within minutes, so a retry waits for one minute at most. */
const waitMaxMs = 60_000;

function readRetryAfterMs(headers: unknown): number | undefined {
  const header = (headers as Record<string, unknown> | undefined)?.['retry-after'];
  const seconds = Number(header);
  return header !== undefined && seconds >= 0 ? Math.min(waitMaxMs, seconds * 1_000) : undefined;
}

export type TwilioClient = twilio.Twilio;

/** The Twilio SDK. It reads no settings from the environment of the process. */
export function openTwilio({ accountSid, authToken, baseUrl }: TwilioAccount): TwilioClient {
  return twilio(accountSid, authToken, { httpClient: new TwilioHttpClient(baseUrl), env: {} });
}

/** Converts an error of the SDK or the network to a delivery error. */
export function readTwilioError(error: unknown): DeliveryError {
  if (error instanceof DeliveryError) return error;
  const { status, code } = error as { status?: unknown; code?: unknown };
  // The code of a network error is a text. The error may also have a status, from a response that was interrupted.
  if (typeof code === 'string') return new DeliveryError(noConnectionCodes.has(code) ? 'notSent' : 'unknown', code);
  if (typeof status !== 'number') return new DeliveryError('unknown');
  const providerCode = String(typeof code === 'number' ? code : status);
  // The server may have processed a request even if it answers 408.
  if (status >= 500 || status < 400 || status === 408) return new DeliveryError('unknown', providerCode);
  return new DeliveryError(twilioRefusal(status, typeof code === 'number' ? code : undefined), providerCode);
}
