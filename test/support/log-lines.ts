import { Writable } from 'node:stream';

/** Keeps the lines of a logger that writes to `stream`, as objects. */
export class LogLines {
  text = '';

  readonly stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      this.text += chunk.toString();
      done();
    },
  });

  /** Whole lines, oldest first. */
  get lines(): Record<string, unknown>[] {
    const lines = this.text.split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }
}
