import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '..', '..');

/** The first group of every match in the `.ts` files of the given files and folders. */
export function findInSource(pattern: RegExp, ...filesAndFolders: readonly string[]): string[] {
  const files = filesAndFolders.flatMap((entry) =>
    entry.endsWith('.ts') ? [entry] : readdirSync(path.join(root, entry)).map((file) => `${entry}/${file}`),
  );
  return files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      Array.from(readFileSync(path.join(root, file), 'utf8').matchAll(pattern), ([, name = '']) => name),
    );
}

/** Files of docs/ as one guide, with sections between marks such as <!-- limits --> and <!-- /limits -->. */
export function openGuide(...files: readonly string[]) {
  const guide = files.map((file) => readFileSync(path.join(root, 'docs', file), 'utf8')).join('\n');

  /** The text between the marks of a section. Throws if it does not exist. */
  const section = (name: string): string => {
    const [, text] = new RegExp(`<!-- ${name} -->\\n?([\\s\\S]*?)\\n?<!-- /${name} -->`).exec(guide) ?? [];
    if (text === undefined) throw new Error(`${files.join(', ')}: the section ${name} does not exist.`);
    return text;
  };

  /** The first code block in a section. */
  const codeBlock = (name: string): string => /```\w*\n([\s\S]*?)\n```/.exec(section(name))?.[1] ?? '';

  /** The cells of the table in a section, without its header and backticks. */
  const table = (name: string): string[][] =>
    section(name)
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .slice(2)
      .map((line) =>
        line
          .slice(2, -2)
          // Bars with spaces separate the columns: || is part of a condition.
          .split(' | ')
          .map((cell) => cell.trim().replace(/^`([^`]*)`$/, '$1')),
      );

  return {
    guide,
    section,
    codeBlock,
    table,
    firstCells: (name: string) => table(name).map(([cell = '']) => cell),
  };
}
