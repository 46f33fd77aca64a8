import { decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';
import { z } from 'zod';
import type { ApiConfig } from '../../../platform/config';
import type { Logger } from '../../../platform/logger';
import { tenantName } from '../../../platform/postgres/tenant-scope';
import { Problem } from '../problem';
import { type Caller, scopes } from './access-tokens';
import { IssuerKeys } from './issuer-keys';

/** The accepted algorithms. All are asymmetric. With a symmetric algorithm, the public key could also sign, and everybody has this key. */
const algorithms = [
  'EdDSA',
  'Ed25519',
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
];

/**
 * Whether a token with this type is an access token. Issuers that do not follow RFC 9068 write the type JWT or no type. Tokens of other
 * types, such as logout tokens, are not access tokens.
 */
const isAccessTokenType = (type: string | undefined) =>
  type === undefined || /^(application\/)?(at\+)?jwt$/i.test(type);

/** The clocks of two machines may differ by this much. */
const clockToleranceSeconds = 5;

/** The lengths that a subject may have (OpenID Connect Core 1.0, section 2). */
const subjectSchema = z.string().min(1).max(255);
/** Scopes as a text with spaces or as a list, because issuers use both forms. */
const scopeSchema = z.union([z.string().transform((text) => text.split(' ')), z.array(z.string())]).default([]);

/** The ids of callers of the outside issuer begin with this text. No client of this service has such an id. */
export const outsidePrefix = 'oidc:';

/**
 * Escapes the subject of a token. The result is a part of the id of the caller. Two subjects never give the same text. The text has no
 * characters with a meaning in Markdown: the Temporal UI shows operators the id of the caller who decided a review, as Markdown.
 */
const escapeSubject = (subject: string) =>
  encodeURIComponent(subject)
    .replace(/[!~*'()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%40', '@');

/** The settings OIDC_*. `tenantClaim` and `scopeClaim`: the names of the claims with the tenant and the scopes of a caller. */
export interface OutsideIssuerSettings {
  issuer: string;
  audience: string;
  tenantClaim: string;
  scopeClaim: string;
}

/** The settings of the outside issuer; undefined if there is none. */
export function readOutsideIssuer(
  config: Pick<ApiConfig, 'OIDC_ISSUER' | 'OIDC_AUDIENCE' | 'OIDC_TENANT_CLAIM' | 'OIDC_SCOPE_CLAIM'>,
): OutsideIssuerSettings | undefined {
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience } = config;
  if (issuer === undefined || audience === undefined) return undefined;
  return { issuer, audience, tenantClaim: config.OIDC_TENANT_CLAIM, scopeClaim: config.OIDC_SCOPE_CLAIM };
}

/**
 * Verifies the access tokens of the outside issuer. These tokens belong to no client of this service, so nobody can revoke them here. They
 * are valid until they expire.
 */
export class OutsideIssuer {
  readonly #keys: IssuerKeys;

  /** `pauseMs`: the pause after each request for the keys of the issuer. */
  constructor(
    private readonly settings: OutsideIssuerSettings,
    private readonly logger: Logger,
    pauseMs?: number,
  ) {
    this.#keys = new IssuerKeys(settings.issuer, logger, pauseMs);
  }

  stop(): void {
    this.#keys.stop();
  }

  /**
   * Returns the caller of a valid token. Undefined if the token is from another issuer, for another audience, forged, expired, or without
   * a tenant. Unknown scopes are left out. Throws service_unavailable if the keys of the issuer cannot be read.
   */
  async verify(token: string): Promise<Caller | undefined> {
    if (issuerOf(token) !== this.settings.issuer) return undefined;
    try {
      const { payload, protectedHeader } = await jwtVerify(token, this.#keys.find, {
        issuer: this.settings.issuer,
        audience: this.settings.audience,
        algorithms,
        requiredClaims: ['exp', 'sub'],
        clockTolerance: clockToleranceSeconds,
      });
      return isAccessTokenType(protectedHeader.typ) ? this.#readCaller(payload) : undefined;
    } catch (error) {
      if (error instanceof Problem) throw error;
      const { code, claim } = error instanceof errors.JWTClaimValidationFailed ? error : { code: '', claim: '' };
      this.logger.debug({ failure: code, claim }, 'an access token of OIDC_ISSUER was rejected');
      return undefined;
    }
  }

  #readCaller(payload: JWTPayload): Caller {
    const subject = subjectSchema.parse(payload.sub);
    const tenant = tenantName.parse(payload[this.settings.tenantClaim]);
    const names = scopeSchema.parse(payload[this.settings.scopeClaim]);
    return {
      clientId: `${outsidePrefix}${escapeSubject(subject)}`,
      tenant,
      scopes: scopes.filter((scope) => names.includes(scope)),
    };
  }
}

/** Reads the issuer from a token, without a check of its signature. Undefined if the token is no JWT. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}
