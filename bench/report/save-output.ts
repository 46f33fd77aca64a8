import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(__dirname, '..', 'out');

/** Saves a result file of a bench, and replaces the file of an earlier bench. Returns its path relative to the repository. */
export function saveOutput(name: string, content: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), content);
  return `bench/out/${name}`;
}
