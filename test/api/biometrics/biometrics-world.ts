import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import type { Reencoder } from '../../../images/reencode-image';
import { noiseImage } from '../../images/test-images';
import { ApiWorld } from '../api-world';
import { LinkBrowser } from './link/link-browser';

/** Re-encodes `image` only once. Tests upload this image many times, and each re-encoding starts a process. */
function reencodeOnce(image: Buffer, reencoder: Reencoder): Reencoder {
  let result: ReturnType<Reencoder['reencode']> | undefined;
  return {
    ...reencoder,
    async reencode(load) {
      const bytes = await load();
      if (!bytes?.equals(image)) return reencoder.reencode(async () => bytes);
      return (result ??= reencoder.reencode(async () => bytes));
    },
  };
}

/** The API with a real database and a real image folder. */
export class BiometricsWorld {
  private constructor(
    readonly api: ApiWorld,
    /** The folder of the sealed images. */
    readonly folder: string,
    private readonly postgres: TestPostgres,
    /** Sharp and well lit, like an image of a phone. */
    readonly image: Buffer,
  ) {}

  static async open(settings: Record<string, string> = {}): Promise<BiometricsWorld> {
    const [postgres, folder] = [await startPostgres(), await mkdtemp(path.join(tmpdir(), 'countersign-images-'))];
    const database = { DATABASE_URL: await postgres.createDatabase(), IMAGES_DIR: folder };
    const api = await ApiWorld.open({ ...database, ...settings });
    const world = new BiometricsWorld(api, folder, postgres, await noiseImage(900, 700));
    api.dependencies.reencoder = reencodeOnce(world.image, api.dependencies.reencoder);
    api.transactions.eraseImageFiles = async ({ tenant, id }, actor) =>
      void (await api.dependencies.images.erase({ tenant, owner: id, actor, erasedAt: new Date().toISOString() }));
    return world;
  }

  async close(): Promise<void> {
    await this.api.close();
    await this.postgres.stop();
    await rm(this.folder, { recursive: true });
  }

  async createTransactionWithLink(
    body: object = {},
    tenant = 'local',
  ): Promise<{ id: string; path: string; linkId: string; browser: LinkBrowser }> {
    const token = await this.api.issueToken(tenant);
    const { id, path: transactionPath } = await this.api.createTransaction(undefined, token);
    const { browser, linkId } = await this.createLink(transactionPath, body, token);
    return { id, path: transactionPath, linkId, browser };
  }

  async createLink(
    transactionPath: string,
    body: object = {},
    token?: string,
  ): Promise<{ browser: LinkBrowser; linkId: string }> {
    const response = await this.api.post(`${transactionPath}/biometrics`, { body, ...(token && { token }) });
    if (response.status !== 201) throw new Error(JSON.stringify(response.body));
    const { url, id } = response.body as { url: string; id: string };
    return { browser: new LinkBrowser(this.onTestHost(url)), linkId: id };
  }

  /** Replaces the public host by the host of the API of this test. */
  onTestHost(url: string): string {
    return `${this.api.address}${new URL(url).pathname}`;
  }

  /** Creates a transaction with a link, and uploads all three images without submitting them. */
  async captureAll(body: object = {}) {
    const transactionWithLink = await this.createTransactionWithLink(body);
    await transactionWithLink.browser.openAndConsent();
    for (const kind of ['documentFront', 'documentBack', 'selfie']) {
      const { status, body: problem } = await transactionWithLink.browser.upload(kind, this.image);
      if (status !== 200) throw new Error(JSON.stringify(problem));
    }
    return transactionWithLink;
  }

  /** Creates a transaction with a link, uploads all three images and submits them. */
  async submitAll(body: object = {}) {
    const transactionWithLink = await this.captureAll(body);
    await transactionWithLink.browser.post('/submit');
    return transactionWithLink;
  }

  /** Sealed images on disk, including partial files. */
  async countStoredImages(): Promise<number> {
    const entries = await readdir(this.folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).length;
  }

  /** Oldest first. */
  async readAuditEntries(
    transactionId: string,
  ): Promise<{ actor: string; action: string; detail: Record<string, unknown> }[]> {
    const sql = 'select actor, action, detail from audit_log where owner = $1 order by id';
    return (await this.api.dependencies.pool.query(sql, [transactionId])).rows;
  }
}
