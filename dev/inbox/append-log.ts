import fs from 'node:fs';
import path from 'node:path';
import { hkdfSync } from 'node:crypto';
import { seal, unseal } from '../../platform/keys/seal';
import type { ContentTemplate } from './content';
import type { Message } from './message';
import type { CallerEvent } from './caller-server/caller-event';
import type { InjectedFailure } from './failure-injector';

/** One change of the data of the inbox. */
export type LogEntry =
  | { op: 'message'; message: Message }
  | { op: 'change'; id: string; change: Partial<Message> }
  | { op: 'content'; content: ContentTemplate }
  | { op: 'event'; event: CallerEvent }
  | { op: 'webhookSecret'; tenant: string; secret: string }
  | { op: 'failures'; failures: readonly InjectedFailure[] }
  | { op: 'clear' };

const context = ['inbox'];

/**
 * If the file has more lines than this, the file is rewritten. This many lines take about 50 MB, for about 50,000 messages with their
 * changes.
 */
const linesMax = 200_000;

/**
 * An append-only file with one entry per line. An entry is JSON. It is encrypted, because it has codes and addresses, and then encoded in
 * base64. `append` returns when the operating system has the entry, so a killed process loses no accepted message.
 */
export class AppendLog {
  #descriptor: number | undefined;
  #lines = 0;
  readonly #file: string | undefined;
  readonly #snapshot: () => LogEntry[];
  readonly #key: Buffer;

  /**
   * Without a folder, nothing is written. `secret` encrypts the entries: after a restart with another secret, they cannot be read.
   * `snapshot` returns the entries of all current data, to rewrite the file.
   */
  constructor(dataDir: string | undefined, secret: string, snapshot: () => LogEntry[]) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', 'countersign/inbox', 32));
    this.#file = dataDir === undefined ? undefined : path.join(dataDir, 'inbox.ndjson');
    this.#snapshot = snapshot;
  }

  /** The entries that earlier processes have written, oldest first. Skips incomplete lines, which a crash can leave. */
  read(): LogEntry[] {
    if (this.#file === undefined || !fs.existsSync(this.#file)) return [];
    return fs
      .readFileSync(this.#file, 'utf8')
      .split('\n')
      .flatMap((line) => this.#parse(line));
  }

  /** Starts writing. Rewrites the file from the snapshot, which removes partial lines and deleted entries. */
  open(): void {
    if (this.#file === undefined) return;
    fs.mkdirSync(path.dirname(this.#file), { recursive: true });
    this.#rewrite(this.#file);
  }

  append(entry: LogEntry): void {
    if (this.#file === undefined || this.#descriptor === undefined) return;
    fs.writeSync(this.#descriptor, this.#format(entry));
    this.#lines += 1;
    if (this.#lines > linesMax) this.#rewrite(this.#file);
  }

  close(): void {
    if (this.#descriptor !== undefined) fs.closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #rewrite(file: string): void {
    this.close();
    const entries = this.#snapshot();
    // A rename is atomic: after a crash, the file is the old or the new one.
    fs.writeFileSync(`${file}.new`, entries.map((entry) => this.#format(entry)).join(''));
    fs.renameSync(`${file}.new`, file);
    this.#descriptor = fs.openSync(file, 'a');
    this.#lines = entries.length;
  }

  #format(entry: LogEntry): string {
    return `${seal(this.#key, Buffer.from(JSON.stringify(entry)), context).toString('base64')}\n`;
  }

  #parse(line: string): LogEntry[] {
    try {
      return [JSON.parse(unseal(this.#key, Buffer.from(line, 'base64'), context).toString()) as LogEntry];
    } catch {
      return [];
    }
  }
}
