import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { type JWK, SignJWT, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';

/** The client of a request, from its access token. */
export interface Caller {
  clientId: string;
  tenant: string;
  scopes: string[];
}

/** Issues and verifies access tokens (RFC 9068), signed with Ed25519 and valid in one environment only. */
export interface AccessTokens {
  lifetimeSeconds: number;
  /** `seconds`: lifetime, at most `lifetimeSeconds`. */
  issue(caller: Caller, seconds?: number): Promise<string>;
  /** Undefined for a token that is forged, expired, or of another environment. */
  read(token: string): Promise<Caller | undefined>;
  /** Public keys (RFC 7517), for others that verify tokens. */
  jwks: { keys: JWK[] };
}

/** The constant prefix of an Ed25519 private key in PKCS #8 (RFC 8410), before the seed. */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');
const issuer = 'countersign';
const type = 'at+jwt';
/** More than the clients that call at the same time. An entry has about 1 kB. */
const rememberedMax = 10_000;

/** Tokens of one environment. `seed`: 32 bytes, from which the signing key is made. */
export function createAccessTokens(seed: Buffer, environment: string, lifetimeSeconds: number): AccessTokens {
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  const publicJwk = publicKey.export({ format: 'jwk' }) as JWK;
  const kid = createHash('sha256').update(String(publicJwk.x)).digest('base64url').slice(0, 16);
  // A signature takes as long to verify as the rest of a read takes, so each token is verified once. Invalid tokens are not remembered.
  const verified = new LRUCache<string, Caller>({ max: rememberedMax });

  return {
    lifetimeSeconds,
    jwks: { keys: [{ ...publicJwk, kid, use: 'sig', alg: 'EdDSA' }] },
    issue: ({ clientId, tenant, scopes }, seconds = lifetimeSeconds) =>
      new SignJWT({ tenant, scope: scopes.join(' '), client_id: clientId })
        .setProtectedHeader({ alg: 'EdDSA', typ: type, kid })
        .setIssuer(issuer)
        .setAudience(environment)
        .setSubject(clientId)
        .setIssuedAt()
        .setExpirationTime(`${Math.min(seconds, lifetimeSeconds)}s`)
        .setJti(crypto.randomUUID())
        .sign(privateKey),
    read: async (token) => {
      const known = verified.get(token);
      if (known) return known;
      try {
        const { payload } = await jwtVerify(token, publicKey, {
          issuer,
          audience: environment,
          typ: type,
          algorithms: ['EdDSA'],
        });
        const { sub, tenant, scope, exp } = payload as { sub?: string; tenant?: string; scope?: string; exp?: number };
        if (!sub || !tenant || exp === undefined) return undefined;
        const caller = { clientId: sub, tenant, scopes: (scope ?? '').split(' ').filter(Boolean) };
        // At least 1 ms: for the cache, 0 means for ever.
        verified.set(token, caller, { ttl: Math.max(1, exp * 1_000 - Date.now()) });
        return caller;
      } catch {
        return undefined;
      }
    },
  };
}
