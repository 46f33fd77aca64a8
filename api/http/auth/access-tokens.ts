import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { type JWK, SignJWT, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

/** The client of a request, from its access token. */
export interface Caller {
  clientId: string;
  tenant: string;
  scopes: string[];
  /** The version of the client when the access token was issued. */
  clientVersion: number;
  /** The secret with which the access token was issued. Absent if it was issued without one. */
  secretId?: string;
}

/** Issues and verifies access tokens (RFC 9068), signed with Ed25519 and valid in one environment only. */
export interface AccessTokens {
  lifetimeSeconds: number;
  /** `seconds`: lifetime, at most `lifetimeSeconds`. */
  issue(caller: Caller, seconds?: number): Promise<string>;
  /** The caller of a valid token; undefined if the token is forged, expired, or of another environment. */
  verify(token: string): Promise<Caller | undefined>;
  /** Public keys (RFC 7517), for other services that verify tokens. */
  jwks: { keys: JWK[] };
}

/** The constant prefix of an Ed25519 private key in PKCS #8 (RFC 8410), before the seed. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const claimsSchema = z.object({
  sub: z.string().min(1),
  tenant: z.string().min(1),
  scope: z.string(),
  exp: z.number(),
  client_version: z.int(),
  secret_id: z.string().optional(),
});
const issuer = 'countersign';
const tokenType = 'at+jwt';
/** More than the number of clients that call at the same time. An entry has about 1 kB. */
const cachedTokensMax = 10_000;

/** Access tokens of one environment. `seed`: 32 bytes, from which the signing key is made. */
export function createAccessTokens(seed: Buffer, environment: string, lifetimeSeconds: number): AccessTokens {
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  const publicJwk = publicKey.export({ format: 'jwk' }) as JWK;
  const kid = createHash('sha256').update(String(publicJwk.x)).digest('base64url').slice(0, 16);
  // Verifying a signature takes as long as the rest of a read request, so each valid token is verified only once.
  const callersByToken = new LRUCache<string, Caller>({ max: cachedTokensMax });

  return {
    lifetimeSeconds,
    jwks: { keys: [{ ...publicJwk, kid, use: 'sig', alg: 'EdDSA' }] },
    issue: ({ clientId, tenant, scopes, clientVersion, secretId }, seconds = lifetimeSeconds) =>
      new SignJWT({
        tenant,
        scope: scopes.join(' '),
        client_id: clientId,
        client_version: clientVersion,
        secret_id: secretId,
      })
        .setProtectedHeader({ alg: 'EdDSA', typ: tokenType, kid })
        .setIssuer(issuer)
        .setAudience(environment)
        .setSubject(clientId)
        .setIssuedAt()
        .setExpirationTime(`${Math.min(seconds, lifetimeSeconds)}s`)
        .setJti(crypto.randomUUID())
        .sign(privateKey),
    verify: async (token) => {
      const cachedCaller = callersByToken.get(token);
      if (cachedCaller) return cachedCaller;
      try {
        const { payload } = await jwtVerify(token, publicKey, {
          issuer,
          audience: environment,
          typ: tokenType,
          algorithms: ['EdDSA'],
        });
        const { success, data: claims } = claimsSchema.safeParse(payload);
        if (!success) return undefined;
        const { sub: clientId, tenant, scope, exp, client_version: clientVersion, secret_id: secretId } = claims;
        const caller = {
          ...{ clientId, tenant, scopes: scope.split(' ').filter(Boolean), clientVersion },
          ...(secretId === undefined ? {} : { secretId }),
        };
        // At least 1 ms, because the cache never removes an entry with 0.
        callersByToken.set(token, caller, { ttl: Math.max(1, exp * 1_000 - Date.now()) });
        return caller;
      } catch {
        return undefined;
      }
    },
  };
}
