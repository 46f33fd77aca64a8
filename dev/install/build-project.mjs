import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withFileLock } from './file-lock.mjs';
import { CommandError, root } from './command.mjs';
import { compile } from './compile.mjs';
import { runWithProgress } from './progress.mjs';
import { lastLines, runProgram } from './run-program.mjs';
import { hashFiles, listFiles } from './source-files.mjs';

const dist = join(root, 'dist');
/** A JSON file about the build in dist/: the hashes of its sources, and the names of its source files. */
const recordFile = join(dist, '.build.json');
const bundleScript = join(dist, 'worker', 'bundle.js');
/** The workflow bundle: the code of all workflows in one file, for the worker. */
const bundleFile = join(dist, 'workflow-bundle.js');
const webSource = join(root, 'web', 'site', 'render-site.tsx');
/** The list of the built pages and their files. */
const webList = join(dist, 'web', 'manifest.json');
const isCode = (file) => /\.ts$/.test(file);
/** Whether a change of this source file needs a new workflow bundle. */
const isInBundle = (file) => /^(domain|flows|workflows|platform|worker)\//.test(file);
/** The files in dist/ that the build makes from a source file. */
const outputsOf = (file) => (isCode(file) ? ['.js', '.js.map'].map((end) => file.replace(/\.ts$/, end)) : [file]);
/** Whether the build needs this file: code, or a file that code loads at run time: a migration, or the program that decodes images. */
const isSource = (file) => isCode(file) || /^(platform|images)\//.test(file);

const folders = [
  'domain',
  'flows',
  'store',
  'workflows',
  'activities',
  'api',
  'worker',
  'messages',
  'images',
  'platform',
  'dev',
];
/** What the pages are made of. The page with the API reference also depends on the route table: see `isInReference`. */
const webFolders = ['web', 'docs'];
const webFiles = ['README.md', 'CHANGELOG.md', 'bench/README.md', 'dev/install/build-web.mjs'];
/** Whether a change of this source file can change the page with the API reference. */
const isInReference = (file) => /^(api|domain|flows|messages|platform)\//.test(file);
const settingsFiles = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'dev/install/compile.mjs',
  'dev/install/build-project.mjs',
];

/** All source files of the build, relative to the repository. */
const sourceFiles = () => folders.flatMap(listFiles).filter(isSource);

/** All files that the pages are made of, without those of `sourceFiles`. */
const pageFiles = () => [...webFolders.flatMap(listFiles), ...webFiles].filter((file) => existsSync(join(root, file)));

/** A hash that changes when one of these files or a build setting changes. */
const hashSources = (files) => hashFiles([...settingsFiles, ...files]);

function readBuildRecord() {
  try {
    return JSON.parse(readFileSync(recordFile, 'utf8'));
  } catch {
    return { files: [] };
  }
}

function copyAssets(files) {
  for (const file of files.filter((name) => !isCode(name))) {
    mkdirSync(dirname(join(dist, file)), { recursive: true });
    copyFileSync(join(root, file), join(dist, file));
  }
}

async function bundleWorkflows() {
  const program = `require(${JSON.stringify(bundleScript)}).buildWorkflowBundle(${JSON.stringify(bundleFile)})
    .catch((error) => { console.error(error); process.exitCode = 1; })`;
  const { code, output } = await runProgram(process.execPath, ['-e', program], { cwd: root });
  if (code !== 0) throw new CommandError(`${lastLines(output, 30)}\nThe workflow bundle failed. Fix the error above.`);
}

async function buildWeb() {
  const program = join(root, 'dev', 'install', 'build-web.mjs');
  const { code, output } = await runProgram(process.execPath, [program], { cwd: root });
  if (code !== 0)
    throw new CommandError(`${lastLines(output, 30)}\nThe build of the pages failed. Fix the error above.`);
}

async function build(files, { sourceHash, bundleHash, webHash }) {
  const previousBuild = readBuildRecord();
  rmSync(recordFile, { force: true });
  for (const file of previousBuild.files.filter((name) => !files.includes(name))) {
    for (const output of outputsOf(file)) rmSync(join(dist, output), { force: true });
  }
  await compile(files.filter(isCode), 'dist').catch((error) => {
    throw new CommandError(`${error.message}\nThe build failed. Fix the error above.`);
  });
  copyAssets(files);
  const needsBundle = existsSync(bundleScript) && (previousBuild.bundleHash !== bundleHash || !existsSync(bundleFile));
  const needsWeb = existsSync(webSource) && (previousBuild.webHash !== webHash || !existsSync(webList));
  await Promise.all([needsBundle && bundleWorkflows(), needsWeb && buildWeb()]);
  writeFileSync(recordFile, JSON.stringify({ sourceHash, bundleHash, webHash, files }));
}

/** Updates dist/ from the sources. Returns at once when dist/ is current. Parallel builds wait for each other. */
export async function buildProject() {
  const isCurrent = () => readBuildRecord().sourceHash === hashSources([...sourceFiles(), ...pageFiles()]);
  if (isCurrent()) return;
  await withFileLock(join(root, '.cache', 'build.lock'), async () => {
    const files = sourceFiles();
    const hashes = {
      sourceHash: hashSources([...files, ...pageFiles()]),
      bundleHash: hashSources(files.filter(isInBundle)),
      webHash: hashSources([...files.filter(isInReference), ...pageFiles()]),
    };
    if (readBuildRecord().sourceHash === hashes.sourceHash) return;
    await runWithProgress('Building', () => build(files, hashes));
  });
}
