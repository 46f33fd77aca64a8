import twilio from 'twilio';
import type RequestClient from 'twilio/lib/base/RequestClient';
import { deadline } from '../deadline';
import { DeliveryError } from './channel';

export interface TwilioAccount {
  accountSid: string;
  authToken: string;
  /** Where a compatible API is; Twilio itself without it. */
  baseUrl?: string;
}

/** The caller's attempt has 4 s in all; what is left is for the database before and after. */
export const httpTimeoutMs = 2_500;

/** Requests end in time whatever the other side does, and go to another host when one is set, for every product. */
class DirectedClient extends twilio.RequestClient {
  constructor(private readonly baseUrl: string | undefined) {
    super({ timeout: httpTimeoutMs, autoRetry: false, keepAlive: true });
    // The client's own timeout starts anew with every byte; this one covers the whole of an answer.
    this.axios.interceptors.request.use((request) => {
      request.signal = deadline(httpTimeoutMs);
      return request;
    });
  }

  override async request<Data>(request: RequestClient.RequestOptions<Data>) {
    const response = await super.request({ ...request, uri: this.#direct(request.uri) });
    if (response.statusCode === 429) throw new DeliveryError('notTaken', '429', retryAfterMs(response.headers));
    return response;
  }

  #direct(uri: string): string {
    if (this.baseUrl === undefined) return uri;
    const { pathname, search } = new URL(uri);
    return new URL(`${pathname}${search}`, this.baseUrl).href;
  }
}

/** Messages live for minutes: a longer wait than one would let them expire. */
const waitMaxMs = 60_000;

function retryAfterMs(headers: unknown): number | undefined {
  const given = (headers as Record<string, unknown> | undefined)?.['retry-after'];
  const seconds = Number(given);
  return given !== undefined && seconds >= 0 ? Math.min(waitMaxMs, seconds * 1_000) : undefined;
}

export type TwilioClient = twilio.Twilio;

/** The provider's SDK, which reads nothing from the environment of the process for where it calls. */
export function openTwilio({ accountSid, authToken, baseUrl }: TwilioAccount): TwilioClient {
  return twilio(accountSid, authToken, { httpClient: new DirectedClient(baseUrl), env: {} });
}
