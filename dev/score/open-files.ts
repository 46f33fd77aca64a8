import { createReadStream, existsSync, readFileSync, type ReadStream, statSync } from 'node:fs';
import path from 'node:path';
import type { Policy } from '../../domain/scoring/policy';
import { parsePolicy } from '../../activities/scoring/policy/parse-policy';

/** A file that cannot be used. The message names it as the person did. */
export class FileError extends Error {
  override name = 'FileError';
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? 'unknown';

/** Reads a policy file. Throws FileError, or PolicyError with every fault. */
export function openPolicy(file: string): Policy {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new FileError(`--policy ${file}: cannot be read (${codeOf(error)}).`);
  }
  try {
    JSON.parse(text);
  } catch {
    // The parser would quote the text, which is a person's data when the two files were swapped.
    throw new FileError(`--policy ${file}: is not JSON.`);
  }
  return parsePolicy(text, path.basename(file));
}

/** A file of transactions, and its size: undefined for what has none, such as a pipe. Throws FileError. */
export function openTransactions(file: string): { source: ReadStream; bytes: number | undefined } {
  try {
    const found = statSync(file);
    if (found.isDirectory()) throw new FileError(`--transactions ${file}: is a folder.`);
    return { source: createReadStream(file), bytes: found.isFile() ? found.size : undefined };
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(`--transactions ${file}: cannot be read (${codeOf(error)}).`);
  }
}

/** Refuses a place for the picture before the run and not after it. Throws FileError. */
export function checkOut(file: string): void {
  if (!existsSync(path.dirname(path.resolve(file)))) throw new FileError(`--out ${file}: its folder does not exist.`);
}
