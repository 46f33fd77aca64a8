import express from 'express';
import type { ApiConfig } from '../../../platform/config';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { keyedHash } from '../../../messages/codes';
import type { Keys } from '../../../platform/keys/service-keys';
import { Problem } from '../problem';
import { networkOf } from '../http-server';
import type { LimitPolicy, TokenBuckets } from '../../../platform/token-buckets';
import { FairQueue, QueueTimeoutError } from '../../../platform/fair-queue';

/**
 * Creates a function that tells whether the other end of a connection is one of the proxies in TRUST_PROXY. If TRUST_PROXY is a number,
 * every connection comes from a proxy.
 */
export function trustedBy(proxies: ApiConfig['TRUST_PROXY']): (address: string) => boolean {
  const isTrusted = express().set('trust proxy', proxies).get('trust proxy fn') as (
    address: string,
    hop: number,
  ) => boolean;
  return (address) => isTrusted(address, 0);
}

export type RateLimitSettings = Pick<
  ApiConfig,
  'RATE_LIMIT_PER_SECOND' | 'ADDRESS_RATE_LIMIT_PER_SECOND' | 'LOGIN_RATE_LIMIT_PER_MINUTE'
>;

/**
 * The limit of an IP address is for 10 s and not for one second. A browser that opens a page sends about 40 requests at once, and some
 * persons share an IP address.
 */
const addressWindowSeconds = 10;

/**
 * An operator may send ten times as many requests as a caller: by default 6,000 requests per minute. All of them may come at once, because
 * the Temporal UI loads a whole history at once. It sends one request for each payload, for example 33 requests for a history of 38 events.
 */
const [operatorFactor, operatorWindowSeconds] = [10, 60];

/** The policies by name. The RateLimit headers show these names. A quota of 0 switches the limit off. */
const policiesOf = (settings: RateLimitSettings) =>
  ({
    client: { quota: settings.RATE_LIMIT_PER_SECOND, windowSeconds: 1 },
    operator: {
      quota: settings.RATE_LIMIT_PER_SECOND * operatorFactor * operatorWindowSeconds,
      windowSeconds: operatorWindowSeconds,
    },
    address: {
      quota: settings.ADDRESS_RATE_LIMIT_PER_SECOND * addressWindowSeconds,
      windowSeconds: addressWindowSeconds,
    },
    'login-address': { quota: settings.LOGIN_RATE_LIMIT_PER_MINUTE, windowSeconds: 60 },
    'login-client': { quota: settings.LOGIN_RATE_LIMIT_PER_MINUTE, windowSeconds: 60 },
  }) satisfies Record<string, LimitPolicy>;

/**
 * How long an address counts as a valid sender after a valid access token or signature, and how many addresses count. A provider sends from
 * some hundred addresses, and each of them sends several requests in a day if persons get messages. Callers have fewer servers than this.
 */
const [senderHours, sendersMax] = [24, 10_000];

type PolicyName = keyof ReturnType<typeof policiesOf>;

/**
 * Counts requests. Each function sets the RateLimit headers of the response (draft-ietf-httpapi-ratelimit-headers), and throws
 * rate_limited if the limit is exceeded.
 */
export interface RateLimits {
  /** Counts a request with an access token. `policy`: `operator` allows many more requests. */
  countClient(clientId: string, response: Response, policy?: 'client' | 'operator'): void;
  /** Counts a request without a valid access token or signature. */
  countIpAddress(request: Request, response: Response): void;
  /**
   * Throws rate_limited if the IP address has used up its limit, so that the request is rejected before its access token or signature is
   * checked. Does not apply to an address that has sent a valid one: its requests must not be lost because somebody else behind the same
   * proxy sends wrong ones. Counts nothing.
   */
  checkSender(request: Request, response: Response): void;
  /** Notes that a request from this IP address had a valid access token or signature. */
  noteValidSender(request: Request): void;
  /** Counts an attempt to get an access token, before the secret in the request is checked. */
  countLogin(request: Request, response: Response): void;
  /** Counts a successful login. Only successful logins count for the client, so nobody can lock a client out with wrong secrets. */
  countClientLogin(clientId: string, response: Response): void;
}

/**
 * Creates the rate limits. Each client and each IP address has a bucket for each of its limits. All API processes share the buckets. In
 * Postgres, a keyed hash names the bucket, because an IP address is personal data.
 */
export function createRateLimits(settings: RateLimitSettings, keys: Keys, buckets: TokenBuckets): RateLimits {
  const policies = policiesOf(settings);
  const validSenders = new LRUCache<string, true>({ max: sendersMax, ttl: senderHours * 3_600_000 });
  const keyOf = (name: PolicyName, subject: string) => keyedHash(keys, 'rate-limit', name, subject);
  const count = (name: PolicyName, subject: string, response: Response) => {
    const { quota, windowSeconds } = policies[name];
    if (quota === 0) return;
    const result = buckets.take(keyOf(name, subject), policies[name]);
    const { allowed, remaining, resetSeconds, retryAfterSeconds } = result;
    addToList(response, 'RateLimit-Policy', `"${name}";q=${quota};w=${windowSeconds}`);
    addToList(response, 'RateLimit', `"${name}";r=${remaining};t=${resetSeconds}`);
    if (!allowed) throw new Problem('rate_limited', { retryAfterSeconds });
  };
  return {
    countClient: (clientId, response, policy = 'client') => count(policy, clientId, response),
    countIpAddress: (request, response) => count('address', clientNetwork(request), response),
    checkSender: (request, response) => {
      const network = clientNetwork(request);
      if (policies.address.quota === 0 || validSenders.has(network)) return;
      // An address without a token gets the answer of a counted request. A rejected request does not change its bucket.
      if (!buckets.hasToken(keyOf('address', network), policies.address)) count('address', network, response);
    },
    noteValidSender: (request) => void validSenders.set(clientNetwork(request), true),
    countLogin: (request, response) => count('login-address', clientNetwork(request), response),
    countClientLogin: (clientId, response) => count('login-client', clientId, response),
  };
}

/**
 * The network address from which a request came. TRUST_PROXY says which proxies are between the sender and the API. For IPv6, this is the
 * first 64 bits, because one subscriber has all addresses that begin with these bits.
 */
export function clientNetwork(request: Pick<Request, 'ip' | 'socket'>): string {
  // The address is unknown if the connection is already closed.
  return networkOf(request.ip && withoutPort(request.ip)) ?? networkOf(request.socket.remoteAddress) ?? 'none';
}

/** The address in an element of X-Forwarded-For. Some proxies write `192.0.2.7:4711`, `[2001:db8::1]:4711` or `[2001:db8::1]`. */
function withoutPort(address: string): string {
  const [, ipv6, ipv4] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/.exec(address) ?? [];
  return ipv6 ?? ipv4 ?? address;
}

function addToList(response: Response, header: string, item: string): void {
  const list = response.get(header);
  response.set(header, list === undefined ? item : `${list}, ${item}`);
}

/** A caller is promised an answer within 5 s. A long read itself takes less than a second. */
const waitMs = 4_000;

/**
 * Long reads of all tenants, such as lists and exports. A tenant has one at a time: several at once would end no sooner, because the process
 * decrypts and writes JSON on one thread, but would hold the memory and the connections of all of them.
 */
const longReads = new FairQueue({ slots: 4, slotsPerTenant: 1 });

/** Runs a long read of the current tenant in its turn. Throws reads_busy if its turn does not come in time. */
export async function readInTurn<Result>(read: () => Promise<Result>): Promise<Result> {
  const endTurn = await longReads.take({ withinMs: waitMs }).catch((error: unknown) => {
    throw error instanceof QueueTimeoutError ? new Problem('reads_busy') : error;
  });
  try {
    return await read();
  } finally {
    endTurn();
  }
}
