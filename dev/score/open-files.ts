import { createReadStream, existsSync, readFileSync, type ReadStream, statSync } from 'node:fs';
import path from 'node:path';
import type { Policy } from '../../domain/scoring/policy';
import { parsePolicy } from '../../scoring/policy/parse-policy';

/** The error for an unusable file. The message has the path of the file, as the user wrote the path. */
export class FileError extends Error {
  override name = 'FileError';
}

const errorCodeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? 'unknown';

/** Reads a policy file. Throws FileError, or PolicyError with all issues. */
export function openPolicy(file: string): Policy {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new FileError(`--policy ${file}: cannot be read (${errorCodeOf(error)}).`);
  }
  try {
    JSON.parse(text);
  } catch {
    // The message of `JSON.parse` is not shown, because it quotes the text. If the user gave the file of transactions as the policy, the
    // text has personal data.
    throw new FileError(`--policy ${file}: is not JSON.`);
  }
  return parsePolicy(text, path.basename(file));
}

/** Opens a file of transactions. Its size is undefined for a pipe. Throws FileError. */
export function openTransactions(file: string): { source: ReadStream; bytes: number | undefined } {
  try {
    const stats = statSync(file);
    if (stats.isDirectory()) throw new FileError(`--transactions ${file}: is a folder.`);
    return { source: createReadStream(file), bytes: stats.isFile() ? stats.size : undefined };
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(`--transactions ${file}: cannot be read (${errorCodeOf(error)}).`);
  }
}

/** Checks that the folder of the SVG exists, before the scoring starts. Throws FileError. */
export function checkOutputFolder(file: string): void {
  if (!existsSync(path.dirname(path.resolve(file)))) throw new FileError(`--out ${file}: its folder does not exist.`);
}
