import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { CommandError, root } from './command.mjs';
import { compile } from './compile.mjs';
import { withFileLock } from './file-lock.mjs';
import { runWithProgress } from './progress.mjs';
import { lastLines, runProgram } from './run-program.mjs';

export const dist = join(root, 'dist');
/** The workflow bundle: the code of all workflows in one file, for the worker. */
export const bundleFile = join(dist, 'workflow-bundle.js');
const bundleScript = join(dist, 'worker', 'bundle.js');

/** The folders with the code of the service and of the local stack. */
export const folders = [
  ...['domain', 'flows', 'store', 'workflows', 'activities', 'api', 'worker'],
  ...['messages', 'scoring', 'images', 'platform', 'dev'],
];
/** What the pages are made of. The page with the API reference also depends on the route table. */
export const pageInputs = ['web', 'docs', 'README.md', 'CHANGELOG.md', 'bench/README.md', 'dev/install/build-web.mjs'];
const settingsFiles = [
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'dev/install/build-project.mjs', 'dev/install/compile.mjs'],
];

const isCode = (file) => file.endsWith('.ts');
/**
 * Whether the build needs this file: code, or a file that code loads at run time: a migration, the program that decodes images, or the
 * declaration of a gateway.
 */
export const isSource = (file) =>
  folders.includes(file.split('/')[0]) && (isCode(file) || /^(platform|images|messages\/gateways)\//.test(file));

/** These files, and all files below these folders, relative to the repository. */
export function listFiles(names) {
  const below = (folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  return names.flatMap((name) => {
    const entry = statSync(join(root, name), { throwIfNoEntry: false });
    return entry?.isDirectory() ? below(name) : entry ? [name] : [];
  });
}

/** A hash of the names, times and sizes of these files and of the settings. It changes when one of these files changes. */
function hashFiles(files) {
  const hash = createHash('sha256');
  for (const file of [...settingsFiles, ...files].toSorted((one, other) => one.localeCompare(other, 'en'))) {
    const { mtimeMs, size } = statSync(join(root, file));
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex');
}

/** Reads the record of a step of the build: its source files, and their hash. */
function readRecord(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { files: [] };
  }
}

/** Runs a step of the build if its source files have changed: `run(files, earlierFiles)`. Parallel builds wait for each other. */
export async function buildStep(name, label, listSources, run) {
  const record = join(dist, `.${name}.json`);
  const isCurrent = (files) => readRecord(record).hash === hashFiles(files);
  if (isCurrent(listSources())) return;
  await withFileLock(join(root, '.cache', `${name}.lock`), async () => {
    const files = listSources();
    if (isCurrent(files)) return;
    const [hash, earlier] = [hashFiles(files), readRecord(record)];
    mkdirSync(dist, { recursive: true });
    writeFileSync(record, JSON.stringify({ files: earlier.files }));
    await runWithProgress(label, () => run(files, earlier.files));
    writeFileSync(record, JSON.stringify({ hash, files }));
  });
}

/** Runs a Node program that is a step of the build. Throws CommandError with the end of its output if it fails. */
export async function runBuild(...args) {
  const { code, output } = await runProgram(process.execPath, args, { cwd: root });
  if (code !== 0) throw new CommandError(`${lastLines(output, 30)}\nThe build failed. Fix the error above.`);
}

/** Compiles source files into dist/, and copies those that are not code. */
export async function buildSources(files) {
  await compile(files.filter(isCode), 'dist').catch((error) => {
    throw new CommandError(`${error.message}\nThe build failed. Fix the error above.`);
  });
  for (const file of files.filter((name) => !isCode(name))) {
    mkdirSync(dirname(join(dist, file)), { recursive: true });
    copyFileSync(join(root, file), join(dist, file));
  }
}

async function buildAllSources(files, earlierFiles) {
  for (const file of earlierFiles.filter((name) => !files.includes(name)))
    for (const ending of ['.js', '.js.map']) rmSync(join(dist, file.replace(/\.ts$/, ending)), { force: true });
  await buildSources(files);
}

/** Updates dist/ from the sources. Returns at once when dist/ is current. */
export async function buildProject() {
  const sources = () => listFiles(folders).filter(isSource);
  const sourcesIn = (...names) => sources().filter((file) => names.includes(file.split('/')[0]));
  await buildStep('code', 'Building', sources, buildAllSources);
  const bundle = `require(${JSON.stringify(bundleScript)}).buildWorkflowBundle(${JSON.stringify(bundleFile)})`;
  const inBundle = () => sourcesIn('domain', 'flows', 'workflows', 'platform', 'worker');
  const inPages = () => [...sourcesIn('api', 'domain', 'flows', 'messages', 'platform'), ...listFiles(pageInputs)];
  const pages = join(root, 'dev', 'install', 'build-web.mjs');
  await Promise.all([
    existsSync(bundleScript) && buildStep('bundle', 'Bundling workflows', inBundle, () => runBuild('-e', bundle)),
    existsSync(join(root, 'web')) && buildStep('pages', 'Building pages', inPages, () => runBuild(pages)),
  ]);
}
