import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { lockedFolders, packageIssues } from './install/package-issues.mjs';
import { root } from './install/command.mjs';
import { runNpm } from './install/run-program.mjs';

// Checks the locked packages without a network, then asks the registry for known vulnerabilities of them.

const readFile = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));
const issues = lockedFolders.flatMap((folder) =>
  packageIssues(readFile(join(folder, 'package.json')), readFile(join(folder, 'package-lock.json'))),
);
for (const issue of issues) process.stdout.write(`${issue}\n`);

/**
 * Time for the registry to answer. Without an answer, the check for vulnerabilities passes. This is safe, because docs/contributing.md
 * requires `npm audit` before each release.
 */
const timeoutMs = 20_000;

/** The vulnerabilities of production packages with the severity `high` or `critical`; undefined if the registry does not answer. */
async function findVulnerabilities() {
  const args = ['audit', '--omit=dev', '--audit-level=high', '--json'];
  const { output } = await runNpm(args, { cwd: root, timeoutMs });
  try {
    const { metadata, vulnerabilities } = JSON.parse(output.slice(output.indexOf('{')));
    return metadata && Object.values(vulnerabilities).filter(({ severity }) => /high|critical/.test(severity));
  } catch {
    return undefined;
  }
}

const vulnerabilities = await findVulnerabilities();
for (const { name, severity, range } of vulnerabilities ?? [])
  process.stdout.write(`${name} ${range} has a known vulnerability (${severity}). \`npm audit\` shows it.\n`);
if (!vulnerabilities)
  process.stdout.write(
    'Known vulnerabilities were not checked: the registry does not answer `npm audit`. Run `npm audit` before a release.\n',
  );
process.exitCode = issues.length + (vulnerabilities?.length ?? 0) > 0 ? 1 : 0;
