import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { scopeStatement } from '../../platform/postgres/tenant-pool';
import { allTenants } from '../../platform/postgres/tenant-scope';
import { dataPaths, readJson } from '../../dev/stack/data-folder';
import type { LocalSecrets } from '../../dev/stack/local-secrets';
import type { Stack } from '../../dev/stack/stack';

/** Pause between counts. It is short enough for a smooth curve, and long enough to cause no noticeable load. */
const pauseMs = 500;
/** If the count does not increase for this long, the worker is stuck. */
const stallTimeoutMs = 30_000;

/** Counts the assessed transactions of a stack. Each assessed transaction has one row in the table `observations`. */
export class AssessmentCounter {
  count = 0;
  readonly #client: Client;

  constructor(stack: Stack, port: number) {
    const { postgresPassword: password } = readJson(dataPaths(stack.dataDir).secretsFile) as LocalSecrets;
    this.#client = new Client({ host: '127.0.0.1', port, user: 'countersign', password, database: 'countersign' });
    this.#client.on('error', () => undefined);
  }

  /** Waits until `total` transactions are assessed. Throws when the count no longer increases. */
  async waitFor(total: number, onCount: (assessed: number) => void): Promise<void> {
    await this.#client.connect();
    try {
      await this.#client.query(scopeStatement(allTenants));
      let lastIncreaseAt = Date.now();
      while (this.count < total) {
        const { rows } = await this.#client.query<{ count: number }>('select count(*)::int as count from observations');
        const count = rows[0]?.count ?? 0;
        if (count > this.count) lastIncreaseAt = Date.now();
        if (Date.now() - lastIncreaseAt > stallTimeoutMs)
          throw new Error(`Only ${count} of ${total} transactions were assessed.`);
        onCount((this.count = count));
        if (count < total) await sleep(pauseMs);
      }
    } finally {
      await this.#client.end();
    }
  }
}
