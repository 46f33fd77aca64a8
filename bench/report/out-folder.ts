import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(__dirname, '..', 'out');

/** Keeps a picture or text of the last run, and gives its place in the checkout. */
export function keepOutput(name: string, content: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), content);
  return `bench/out/${name}`;
}
