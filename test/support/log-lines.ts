import { Writable } from 'node:stream';

/** Parses the lines that a logger writes to `stream`. */
export class LogLines {
  text = '';

  readonly stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      this.text += chunk.toString();
      done();
    },
  });

  /** Complete lines, oldest first. */
  get lines(): Record<string, unknown>[] {
    const lines = this.text.split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }
}
