import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';

interface IssuerKey {
  kid: string;
  alg: string;
  privateKey: CryptoKey;
  publicJwk: JWK;
}

/** An outside issuer (OpenID Connect) on this machine, with a discovery document, keys and access tokens. */
export class LocalIssuer {
  /** How the issuer answers every request. */
  mode: 'works' | 'fails' | 'hangs' | 'is not JSON' | 'names another issuer' = 'works';
  /** The path of every request. */
  readonly requests: string[] = [];
  keys: IssuerKey[] = [];
  keysPath = '/keys';
  /** Requests for these paths are redirected to `/elsewhere…`, which gives the same answer. */
  redirectedPaths: string[] = [];

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
  ) {}

  static async start(): Promise<LocalIssuer> {
    const server = createServer((request, response) => {
      const path = request.url ?? '';
      issuer.requests.push(path);
      if (issuer.redirectedPaths.includes(path)) response.writeHead(302, { location: `/elsewhere${path}` }).end();
      else if (issuer.mode !== 'hangs')
        response.writeHead(issuer.mode === 'fails' ? 500 : 200).end(issuer.#answer(path));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = new LocalIssuer(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return issuer;
  }

  #answer(path: string): string {
    if (this.mode === 'is not JSON') return '<html>';
    const issuer = this.mode === 'names another issuer' ? 'https://other.example.com' : this.issuer;
    return JSON.stringify(
      path.endsWith('/openid-configuration')
        ? { issuer, jwks_uri: `${this.issuer}${this.keysPath}` }
        : { keys: this.keys.map(({ publicJwk }) => publicJwk) },
    );
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  async addKey(kid: string, alg = 'ES256'): Promise<IssuerKey> {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    const key = { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
    this.keys.push(key);
    return key;
  }

  /** The token is valid for five minutes. A claim with the value undefined is left out. */
  async issue(claims: JWTPayload, key = this.keys.at(-1), header: Record<string, unknown> = {}): Promise<string> {
    if (!key) throw new Error('The issuer has no key.');
    const now = Math.floor(Date.now() / 1_000);
    return new SignJWT({ iss: this.issuer, sub: 'someone', iat: now, exp: now + 300, ...claims })
      .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'at+jwt', ...header })
      .sign(key.privateKey);
  }
}
