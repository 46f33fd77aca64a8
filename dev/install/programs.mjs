import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { extractWithApt, installWithApt } from './apt.mjs';
import { cachedFolder, runGo } from './cached-folder.mjs';
import { CommandError, root } from './command.mjs';
import { findOnPath, isProgram } from './find-program.mjs';
import { runWithProgress } from './progress.mjs';
import { runProgram } from './run-program.mjs';

async function fetchOk(address, timeoutMs) {
  const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  return response;
}

/**
 * Downloads `cli` or `temporal-test-server` to `folder/name`, from the same source as the testing package of the Temporal SDK. Returns
 * whether this succeeded. Without a network, the first request fails early. The second one may take long: it gets 60 MB.
 */
export async function downloadTemporal(artifact, folder, name, source = 'https://temporal.download') {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const query = new URLSearchParams({
    arch: process.arch === 'arm64' ? 'arm64' : 'amd64',
    platform: process.platform,
    format: 'tar.gz',
    'sdk-name': 'sdk-typescript',
    'sdk-version': dependencies['@temporalio/client'],
  });
  try {
    const metadata = await fetchOk(`${source}/${artifact}/default?${query}`, 20_000);
    const { archiveUrl, fileToExtract } = await metadata.json();
    const archive = await fetchOk(archiveUrl, 600_000);
    writeFileSync(join(folder, 'archive.tar.gz'), Buffer.from(await archive.arrayBuffer()));
    const { code } = await runProgram('tar', ['-xzf', 'archive.tar.gz', fileToExtract], { cwd: folder });
    rmSync(join(folder, 'archive.tar.gz'));
    if (code === 0) renameSync(join(folder, fileToExtract), join(folder, name));
    return code === 0;
  } catch {
    return false;
  }
}

/** Builds the Temporal CLI with Go. */
const buildWithGo = (folder, version) =>
  runGo(['install', `github.com/temporalio/cli/cmd/temporal@v${version}`], folder).then(
    () => true,
    () => false,
  );

/** Gets the test server and its libraries with Maven, and writes a script that starts it. The only argument of the script is the port. */
async function assembleWithMaven(folder, version) {
  const findMaven = () => findOnPath('java') && findOnPath('mvn');
  if (!findMaven()) await installWithApt('Java and Maven', 'default-jre-headless', 'maven');
  const maven = findMaven();
  if (!maven) return false;
  const artifact = `<groupId>io.temporal</groupId><artifactId>temporal-test-server</artifactId><version>${version}</version>`;
  const project =
    '<modelVersion>4.0.0</modelVersion><groupId>none</groupId><artifactId>none</artifactId><version>1</version>';
  const pom = `<project>${project}<dependencies><dependency>${artifact}</dependency></dependencies></project>`;
  writeFileSync(join(folder, 'pom.xml'), pom);
  const java =
    'java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$(dirname "$0")/lib/*" io.temporal.testserver.TestServer';
  writeFileSync(join(folder, 'temporal-test-server'), `#!/bin/sh\nexec ${java} "$@"\n`, { mode: 0o755 });
  const copyLibraries = ['-q', '-B', 'dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=lib'];
  return (await runProgram(maven, copyLibraries, { cwd: folder })).code === 0;
}

/**
 * Returns the path of a Temporal program in the cache of the user. If it is missing, downloads it. If the download fails, calls
 * `build(folder, version)`, which builds it in the folder and returns whether it succeeded. Returns undefined when both fail.
 */
async function installCached({ name, artifact, version, label, buildLabel, build }) {
  const folder = await cachedFolder(
    `${name}-${version}`,
    async (partial) =>
      (await runWithProgress(`Downloading ${label}`, () => downloadTemporal(artifact, partial, name))) ||
      (await runWithProgress(buildLabel, () => build(partial, version))),
  );
  return folder && join(folder, name);
}

/** The Temporal CLI on PATH, if its server is 1.28 or newer. Older ones lack update-with-start, which resumes a closed transaction. */
async function findRecentTemporal() {
  const file = findOnPath('temporal');
  // The program has 250 MB, so its start takes seconds on a busy machine.
  const { output } = file ? await runProgram(file, ['--version'], { timeoutMs: 20_000 }) : { output: '' };
  const [, major, minor] = /Server (\d+)\.(\d+)/.exec(output) ?? [];
  return Number(major) > 1 || (major === '1' && Number(minor) >= 28) ? file : undefined;
}

/**
 * Returns the path in an environment variable, or the first path that one of the functions finds or installs. Throws CommandError with
 * `advice` if there is none.
 */
async function findProgram(variable, advice, ...finders) {
  const configured = process.env[variable];
  if (configured && existsSync(configured)) return configured;
  if (configured) throw new CommandError(`${variable} is ${configured}, which does not exist. Correct it or unset it.`);
  for (const find of finders) {
    const file = await find();
    if (file) return file;
  }
  throw new CommandError(advice);
}

const devServer = {
  name: 'temporal',
  artifact: 'cli',
  // Later versions have a `replace` line in go.mod, which `go install` rejects.
  version: '1.5.1',
  label: 'the Temporal dev server',
  buildLabel: 'Building the Temporal dev server with Go (once, 1 to 3 minutes)',
  build: buildWithGo,
};
const testServer = {
  name: 'temporal-test-server',
  artifact: 'temporal-test-server',
  version: '1.38.0',
  label: 'the time-skipping test server',
  buildLabel: 'Getting the time-skipping test server with Maven (once)',
  build: assembleWithMaven,
};

/** The path of the Temporal CLI with its dev server. */
export const installTemporal = () =>
  findProgram(
    'TEMPORAL_CLI_PATH',
    'The Temporal dev server is missing (not on PATH; download and Go build failed). Install the Temporal CLI or Go 1.25, or set TEMPORAL_ADDRESS to a running Temporal server.',
    findRecentTemporal,
    () => installCached(devServer),
  );

/** The path of the time-skipping Temporal test server. */
export const installTestServer = () =>
  findProgram(
    'TEMPORAL_TEST_SERVER_PATH',
    'The time-skipping test server is missing (download failed; no Maven with Java). Install Maven and Java, or set TEMPORAL_TEST_SERVER_PATH to the program, then run the tests again.',
    () => installCached(testServer),
  );

const macChromium = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
const findChromium = () =>
  findOnPath('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable') ??
  [macChromium, macChromium.replaceAll('Google Chrome', 'Chromium')].find(isProgram);
const findShell = () => findOnPath('chromium-headless-shell');

/** On Debian, PgBouncer is in a folder that is not on the PATH of every user. */
const findPgBouncer = () => findOnPath('pgbouncer') ?? ['/usr/sbin/pgbouncer'].find(isProgram);

/** Prometheus, with `promtool` in the same folder. */
const installPrometheus = () =>
  findProgram(
    'PROMETHEUS_PATH',
    'Prometheus is missing. Install Prometheus, or set PROMETHEUS_PATH to the program, then run the tests again.',
    () => findOnPath('prometheus'),
    () => extractWithApt('prometheus', 'usr/bin/prometheus'),
  );

/** The Redis server, for the bench `peers`. */
export const installRedis = () =>
  findProgram(
    'REDIS_SERVER_PATH',
    'Redis is missing. Install it, or set REDIS_SERVER_PATH to redis-server, then run this command again.',
    () => findOnPath('redis-server'),
    () => installWithApt('Redis', 'redis-server').then(() => findOnPath('redis-server')),
  );

const postgresRoot = '/usr/lib/postgresql';

/** The folder of the newest Postgres of Debian that has a server and pg_dump. The embedded one of `npm start` has no pg_dump. */
function findPostgres() {
  const versions = existsSync(postgresRoot) ? readdirSync(postgresRoot).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = [dirname(findOnPath('pg_ctl') ?? ''), ...versions.map((name) => join(postgresRoot, name, 'bin'))];
  return folders.find((folder) => ['postgres', 'initdb', 'pg_dump'].every((name) => isProgram(join(folder, name))));
}

/** Installs Postgres without its usual server, which Debian would start at once. */
async function installPostgres() {
  const settings = '/etc/postgresql-common/createcluster.conf';
  if (findOnPath('apt-get') && process.getuid() === 0 && !existsSync(settings)) {
    mkdirSync(dirname(settings), { recursive: true });
    writeFileSync(settings, 'create_main_cluster = false\n');
  }
  await installWithApt('Postgres', 'postgresql');
  return findPostgres();
}

/** Installs the programs that the tests need, in parallel. Returns environment variables with their paths. */
export async function installTestPrograms() {
  const [temporal, skippingServer, prometheus, pgbouncer, postgres, chromium] = await Promise.all([
    installTemporal(),
    installTestServer(),
    installPrometheus(),
    findProgram(
      'PGBOUNCER_PATH',
      'PgBouncer is missing. Install it, or set PGBOUNCER_PATH, then run the tests again.',
      findPgBouncer,
      () => installWithApt('PgBouncer', 'pgbouncer').then(findPgBouncer),
    ),
    findProgram(
      'POSTGRES_PROGRAMS',
      'The programs of Postgres are missing: a server, initdb and pg_dump. Install the package postgresql, or set POSTGRES_PROGRAMS to the folder of these programs, then run the tests again.',
      findPostgres,
      installPostgres,
    ),
    findProgram(
      'CHROMIUM_PATH',
      'Chromium is missing. Install Chromium or Google Chrome, or set CHROMIUM_PATH, then run the tests again.',
      findChromium,
      () => installWithApt('Chromium', 'chromium').then(findChromium),
    ),
    // A Chromium without windows needs less CPU time. Without it, the tests use Chromium.
    findShell() ?? installWithApt('Chromium shell', 'chromium-headless-shell'),
  ]);
  const paths = {
    TEMPORAL_CLI_PATH: temporal,
    TEMPORAL_TEST_SERVER_PATH: skippingServer,
    PGBOUNCER_PATH: pgbouncer,
    PROMETHEUS_PATH: prometheus,
    POSTGRES_PROGRAMS: postgres,
    CHROMIUM_PATH: chromium,
  };
  return findShell() ? { ...paths, CHROMIUM_SHELL_PATH: findShell() } : paths;
}
