import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '..', '..');

/** The first group of every match in `.ts` files, which are given directly or by their folder. */
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

/** Files of docs/ as one text. A section is between two marks, such as <!-- limits --> and <!-- /limits -->. */
export function openGuide(...files: readonly string[]) {
  const guide = files.map((file) => readFileSync(path.join(root, 'docs', file), 'utf8')).join('\n');

  /** Throws if the section does not exist. */
  const section = (name: string): string => {
    const [, text] = new RegExp(`<!-- ${name} -->\\n?([\\s\\S]*?)\\n?<!-- /${name} -->`).exec(guide) ?? [];
    if (text === undefined) throw new Error(`${files.join(', ')}: the section ${name} does not exist.`);
    return text;
  };

  /** The first code block in a section. */
  const codeBlock = (name: string): string => /```\w*\n([\s\S]*?)\n```/.exec(section(name))?.[1] ?? '';

  /** The rows without the header. Cells have no backticks. */
  const table = (name: string): string[][] =>
    section(name)
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .slice(2)
      .map((line) =>
        line
          .slice(2, -2)
          // Only a bar with spaces ends a cell, because || is part of a condition.
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
