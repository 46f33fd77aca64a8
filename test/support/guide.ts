import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A guide of docs/, by the parts that stand between marks such as <!-- limits --> and <!-- /limits -->. */
export function openGuide(file: string) {
  const guide = readFileSync(path.join(__dirname, '..', '..', 'docs', file), 'utf8');

  /** What stands between the marks of a name. Throws when the guide has none. */
  const section = (name: string): string => {
    const [, told] = new RegExp(`<!-- ${name} -->\\n?([\\s\\S]*?)\\n?<!-- /${name} -->`).exec(guide) ?? [];
    if (told === undefined) throw new Error(`${file} has no section ${name}.`);
    return told;
  };

  /** The first block of code in a section. */
  const block = (name: string): string => /```\w*\n([\s\S]*?)\n```/.exec(section(name))?.[1] ?? '';

  /** Cells of the table in a section, without its head and the ticks of code. */
  const table = (name: string): string[][] =>
    section(name)
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .slice(2)
      .map((line) =>
        line
          .slice(2, -2)
          // A column ends at a bar with room on both sides: || is of a condition.
          .split(' | ')
          .map((cell) => cell.trim().replace(/^`([^`]*)`$/, '$1')),
      );

  return { guide, section, block, table, firstCells: (name: string) => table(name).map(([cell = '']) => cell) };
}
