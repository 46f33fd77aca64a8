import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError, root } from './command.mjs';
import { withFileLock } from './file-lock.mjs';
import { runWithProgress } from './progress.mjs';
import { lastLines, runProgram } from './run-program.mjs';
import { hashFiles, listFiles } from './source-files.mjs';

/** The built package of the TypeScript client, for `npm pack dist/client` and `npm publish dist/client`. */
const packageFolder = join(root, 'dist', 'client');
/** The hash of the sources of the built client. */
const hashFile = join(root, 'dist', '.client-hash');

/** A change in these folders or files needs a new build: the code of the client, and everything that defines the OpenAPI document. */
const folders = ['client', 'api', 'domain', 'flows', 'messages', 'images', 'platform', 'store', 'workflows'];
const settingsFiles = [
  'package-lock.json',
  'tsconfig.json',
  'dev/install/build-client.mjs',
  'dev/install/generate-client.mjs',
];

/** The two module formats of the package. They have the same code. `type` tells Node and TypeScript the format of the files in a folder. */
const formats = [
  { folder: 'esm', type: 'module', options: ['--module', 'esnext'] },
  { folder: 'cjs', type: 'commonjs', options: ['--module', 'commonjs'] },
];

const sourceHash = () =>
  hashFiles([...settingsFiles, ...folders.flatMap(listFiles).filter((file) => !file.startsWith('client/generated/'))]);

function readHash() {
  try {
    return readFileSync(hashFile, 'utf8');
  } catch {
    return undefined;
  }
}

async function compile({ folder, type, options }) {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const outDir = join(packageFolder, folder);
  const { code, output } = await runProgram(process.execPath, [tsc, '-p', 'client', ...options, '--outDir', outDir], {
    cwd: root,
  });
  if (code !== 0)
    throw new CommandError(
      `${lastLines(output, 30)}\nThe build of the client failed. Fix the errors of \`tsc\` above.`,
    );
  writeFileSync(join(outDir, 'package.json'), JSON.stringify({ type }));
}

async function build() {
  rmSync(packageFolder, { recursive: true, force: true });
  // generate-client.mjs needs npm packages. In a new clone, they are not installed yet when build-client.mjs is loaded. So the import is
  // here and not at the top.
  const { generateClient } = await import('./generate-client.mjs');
  await generateClient();
  await Promise.all(formats.map(compile));
  mkdirSync(packageFolder, { recursive: true });
  for (const [source, name] of [
    ['client', 'package.json'],
    ['client', 'README.md'],
    ['.', 'LICENSE'],
  ])
    copyFileSync(join(root, source, name), join(packageFolder, name));
}

/** Updates `client/generated/` and `dist/client/` from the sources. Returns at once when they are current. */
export async function buildClient() {
  if (readHash() === sourceHash()) return;
  await withFileLock(join(root, '.cache', 'client.lock'), async () => {
    const hash = sourceHash();
    if (readHash() === hash) return;
    rmSync(hashFile, { force: true });
    await runWithProgress('Building the client', build);
    writeFileSync(hashFile, hash);
  });
}
