import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { type JWK, SignJWT, jwtVerify } from 'jose';

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

/** Tokens of one environment. `seed`: 32 bytes, from which the signing key is made. */
export function createAccessTokens(seed: Buffer, environment: string, lifetimeSeconds: number): AccessTokens {
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  const publicJwk = publicKey.export({ format: 'jwk' }) as JWK;
  const kid = createHash('sha256').update(String(publicJwk.x)).digest('base64url').slice(0, 16);

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
      try {
        const { payload } = await jwtVerify(token, publicKey, {
          issuer,
          audience: environment,
          typ: type,
          algorithms: ['EdDSA'],
        });
        const { sub, tenant, scope } = payload as { sub?: string; tenant?: string; scope?: string };
        return sub && tenant ? { clientId: sub, tenant, scopes: (scope ?? '').split(' ').filter(Boolean) } : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
