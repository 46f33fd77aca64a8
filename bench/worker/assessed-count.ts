import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { dataFolder, readJson } from '../../dev/stack/data-folder';
import type { LocalSecrets } from '../../dev/stack/local-secrets';
import type { Stack } from '../../dev/stack/stack';

/** Often enough for a curve over the work done, and nothing beside that work. */
const pauseMs = 500;
/** Callers may run ahead of the worker by all that they create; it then goes on by itself. When it rests for so long it is stuck. */
const restsAtMostMs = 30_000;

/** Tells how many transactions of a stack have been assessed: each leaves one sighting. */
export class AssessedCount {
  now = 0;
  readonly #client: Client;

  constructor(stack: Stack, port: number) {
    const { postgresPassword: password } = readJson(dataFolder(stack.dataDir).secretsFile) as LocalSecrets;
    this.#client = new Client({ host: '127.0.0.1', port, user: 'countersign', password, database: 'countersign' });
    this.#client.on('error', () => undefined);
  }

  /** Counts until all are assessed. Throws when the count stands still. */
  async follow(all: number, onCount: (assessed: number) => void): Promise<void> {
    await this.#client.connect();
    try {
      let roseAt = Date.now();
      while (this.now < all) {
        const { rows } = await this.#client.query<{ count: number }>('select count(*)::int as count from sightings');
        const count = rows[0]?.count ?? 0;
        if (count > this.now) roseAt = Date.now();
        if (Date.now() - roseAt > restsAtMostMs) throw new Error(`Only ${count} of ${all} transactions were assessed.`);
        onCount((this.now = count));
        if (count < all) await sleep(pauseMs);
      }
    } finally {
      await this.#client.end();
    }
  }
}
