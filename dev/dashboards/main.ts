import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { messages } from './messages';
import { operations } from './operations';
import { overview } from './overview';

/** The text of each dashboard, by the name of its file in deploy/grafana. */
export const dashboardFiles = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ overview, messages, operations }).map(([name, build]) => [
      `${name}.json`,
      `${JSON.stringify(build(), undefined, 2)}\n`,
    ]),
  );

/** Writes the dashboards into a folder. */
export function writeDashboards(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(dashboardFiles())) writeFileSync(path.join(folder, name), text);
}
