/** Shows the steps of a command. On a terminal, the line of the current step is replaced; in a log, each step is one line. */
export class Progress {
  #name = '';
  #startedAt = 0;
  #shownAt = 0;

  constructor(private readonly output: { write: (text: string) => unknown; isTTY?: boolean }) {}

  /** Runs a step. Its result may add a text to the line, such as a size. */
  async step<Result>(
    name: string,
    work: (update: (detail: string) => void) => Promise<Result>,
    detailOf: (result: Result) => string = () => '',
  ): Promise<Result> {
    [this.#name, this.#startedAt, this.#shownAt] = [name, performance.now(), 0];
    this.#show('');
    const result = await work((detail) => this.#show(detail));
    const seconds = ((performance.now() - this.#startedAt) / 1_000).toFixed(1);
    const line = `${name.padEnd(nameWidth)} ${detailOf(result)}`.trimEnd();
    this.output.write(`${this.output.isTTY ? clearLine : ''}${line.padEnd(lineWidth)} ${seconds.padStart(6)} s\n`);
    return result;
  }

  #show(detail: string): void {
    if (!this.output.isTTY || performance.now() - this.#shownAt < redrawMs) return;
    this.#shownAt = performance.now();
    this.output.write(`${clearLine}${this.#name.padEnd(nameWidth)} ${detail} …`);
  }
}

const [nameWidth, lineWidth] = [34, 66];
const clearLine = '\r\u001B[2K';
/** More often, nobody can read it. */
const redrawMs = 100;

/** A number with separators, such as 1,204. */
export const formatCount = (count: number): string => count.toLocaleString('en-US');

/** A size in bytes, such as `1.2 MB`. */
export const formatBytes = (bytes: number): string =>
  bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
