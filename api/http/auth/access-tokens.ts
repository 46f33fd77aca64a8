import { type JWTHeaderParameters, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { currentSigningKey, type SigningKey, type SigningKeyRing } from '../../../platform/keys/signing-keys';
import { Problem } from '../problem';

/** All scopes that a client can have, with what they allow. */
export const scopeDescriptions = {
  'transaction:write': 'Create transactions.',
  'transaction:read': 'Read transactions, their results and their events, without images.',
  'transaction:search': 'Search transactions by phone, mailbox or document.',
  'analysis:run': 'Reassess scores, ratings and insights, and check cards.',
  'confirmation:send': 'Send codes and questions, and start, resend and cancel flow runs.',
  'confirmation:validate': 'Check codes, also those of flow runs.',
  'biometrics:link': 'Create links to the hosted page for images.',
  'biometrics:images': 'Read the images of a person.',
  'biometrics:review': 'List reviews, and decide on images.',
  'biometrics:erase': 'Erase images, and read their audit log.',
  'flows:read': 'Read flows and their runs.',
  'flows:write': 'Add, activate and delete versions of flows.',
  'blocks:manage': 'List and remove blocks of phone prefixes.',
  'brand:read': 'Read the brand, and check changes of it.',
  'brand:write': 'Change the brand and its logo.',
  'messages:read': 'Read how many messages were sent, delivered and answered.',
  'optouts:manage': 'Look up opt-outs, and release them with the consent of the person.',
  'lists:manage': 'Manage deny and allow lists.',
  'messaging:manage': 'Manage the providers of messages, and see whether they work.',
  'webhooks:manage': 'Manage webhooks, and deliver events again.',
  privacy: 'Export and erase personal data.',
  'operator:decode': 'Decrypt what Temporal stores about the transactions of all tenants. Only for operators.',
} as const;

export type Scope = keyof typeof scopeDescriptions;

export const scopes = Object.keys(scopeDescriptions) as Scope[];

/** Scopes that give access to the data of all tenants. A client must list each of them by name: `*` does not contain them. */
const operatorScopes: readonly Scope[] = ['operator:decode'];

/** Converts the stored scopes of a client to the scopes that it has. A stored `*` means all scopes except those for operators. */
export function expandScopes(storedScopes: readonly string[]): Scope[] {
  const hasAll = storedScopes.includes('*');
  return scopes.filter((scope) => storedScopes.includes(scope) || (hasAll && !operatorScopes.includes(scope)));
}

/**
 * Returns the requested scopes (RFC 6749, 3.3), or all scopes of the client if no scope is requested. Undefined if the client does not
 * have a requested scope.
 */
export function narrowScopes(clientScopes: readonly Scope[], requestedScopes: string | undefined): Scope[] | undefined {
  const names = (requestedScopes ?? '').split(' ').filter(Boolean);
  if (names.length === 0) return [...clientScopes];
  const narrowedScopes = clientScopes.filter((scope) => names.includes(scope));
  return names.every((name) => narrowedScopes.some((scope) => scope === name)) ? narrowedScopes : undefined;
}

/** The caller of a request, as its access token describes it. */
export interface Caller {
  clientId: string;
  tenant: string;
  scopes: string[];
  /** The version of the client when the access token was issued. Absent if the outside issuer issued the token. */
  clientVersion?: number;
  /** The id of the secret with which the access token was issued. Absent if no secret was used. */
  secretId?: string;
  /** When the access token expires, in seconds since 1970. Absent if the outside issuer issued the token. */
  expiresAt?: number;
}

/** Issues and verifies access tokens (RFC 9068), signed with Ed25519 and valid in one environment only. */
export interface AccessTokens {
  lifetimeSeconds: number;
  /**
   * Issues an access token. `seconds`: its lifetime, at most `lifetimeSeconds`. The new token never expires later than the access token of
   * the caller.
   */
  issue(caller: Caller & { clientVersion: number }, seconds?: number): Promise<string>;
  /** Returns the caller of a valid token. Undefined if the token is forged, expired, or from another environment. */
  verify(token: string): Promise<Caller | undefined>;
}

export interface AccessTokenSettings {
  signingKeys: SigningKeyRing;
  /** The address of the service, as in its metadata (RFC 8414). */
  issuer: string;
  environment: string;
  lifetimeSeconds: number;
}

const claimsSchema = z.object({
  sub: z.string().min(1),
  tenant: z.string().min(1),
  scope: z.string(),
  exp: z.number(),
  client_version: z.int(),
  secret_id: z.string().optional(),
});
const algorithm = 'EdDSA';
const tokenType = 'at+jwt';
/** Maximum number of cached tokens. It is higher than the number of clients that call at the same time. An entry has about 1 kB. */
const cachedTokensMax = 10_000;

/**
 * Creates the functions for the access tokens of one environment. `issue` and `verify` throw service_unavailable until the signing keys are
 * read.
 */
export function createAccessTokens({
  signingKeys,
  issuer,
  environment,
  lifetimeSeconds,
}: AccessTokenSettings): AccessTokens {
  // Verifying a signature takes as long as all other work of a read request, so each valid token is verified only once.
  const verified = new LRUCache<string, { caller: Caller; kid: string }>({ max: cachedTokensMax });
  const readKeys = () => {
    if (!signingKeys.keys) throw new Problem('service_unavailable');
    return signingKeys.keys;
  };

  return {
    lifetimeSeconds,
    issue: async (
      { clientId, tenant, scopes, clientVersion, secretId, expiresAt = Infinity },
      seconds = lifetimeSeconds,
    ) => {
      const key = currentSigningKey(readKeys());
      if (!key) throw new Problem('service_unavailable');
      const now = Math.floor(Date.now() / 1_000);
      return new SignJWT({
        tenant,
        scope: scopes.join(' '),
        client_id: clientId,
        client_version: clientVersion,
        secret_id: secretId,
      })
        .setProtectedHeader({ alg: algorithm, typ: tokenType, kid: key.kid })
        .setIssuer(issuer)
        .setAudience(environment)
        .setSubject(clientId)
        .setIssuedAt(now)
        .setExpirationTime(Math.min(now + Math.min(seconds, lifetimeSeconds), expiresAt))
        .setJti(crypto.randomUUID())
        .sign(key.privateKey);
    },
    verify: async (token) => {
      const keys = readKeys();
      const cached = verified.get(token);
      // After a key is removed, the tokens that it signed are invalid.
      if (cached) return keys.has(cached.kid) ? cached.caller : undefined;
      try {
        const options = { issuer, audience: environment, typ: tokenType, algorithms: [algorithm] };
        const { payload, protectedHeader } = await jwtVerify(
          token,
          (header: JWTHeaderParameters) => findKey(keys, header),
          options,
        );
        const {
          sub,
          tenant,
          scope,
          exp: expiresAt,
          client_version: clientVersion,
          secret_id: secretId,
        } = claimsSchema.parse(payload);
        const caller = {
          ...{ clientId: sub, tenant, scopes: scope.split(' ').filter(Boolean), clientVersion, expiresAt },
          ...(secretId === undefined ? {} : { secretId }),
        };
        // The time is at least 1 ms, because the cache never removes an entry with a time of 0.
        const ttl = Math.max(1, expiresAt * 1_000 - Date.now());
        verified.set(token, { caller, kid: String(protectedHeader.kid) }, { ttl });
        return caller;
      } catch {
        return undefined;
      }
    },
  };
}

function findKey(keys: ReadonlyMap<string, SigningKey>, { kid }: JWTHeaderParameters) {
  const key = keys.get(kid ?? '');
  if (!key) throw new Error('No signing key has this id.');
  return key.publicKey;
}
