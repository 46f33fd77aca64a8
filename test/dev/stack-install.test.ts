import { type ExecFileException, execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** How long two programs wait for each other: enough for both to start on a busy machine. */
const bothStartedTimeoutMs = 60_000;

/** A part of a Node script. It calls `done` when the file exists, and ends with code 1 if the file does not appear in time. */
const waitForFileScript = (file: string) => `
const deadline = Date.now() + ${bothStartedTimeoutMs};
const checkFile = () => {
  if (require('node:fs').existsSync(${JSON.stringify(file)})) return done();
  if (Date.now() > deadline) process.exit(1);
  setTimeout(checkFile, 20);
};
checkFile();`;

describe('a first start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-install-'));
  const checkoutFolder = join(folder, 'checkout');
  const programsFolder = join(folder, 'programs');
  const cacheFolder = join(folder, 'cache');
  const temporalFile = join(programsFolder, 'temporal');
  const npmFile = join(folder, 'npm.js');
  const startedFile = (name: string) => join(folder, `${name}-started`);

  /** A checkout without packages. Its npm and `temporal` are scripts of the test. */
  beforeEach(() => {
    for (const place of [checkoutFolder, programsFolder, cacheFolder]) mkdirSync(place, { recursive: true });
    cpSync(resolve('dev'), join(checkoutFolder, 'dev'), { recursive: true });
    const files = {
      'package.json': { dependencies: { '@temporalio/client': '0.0.1' } },
      'package-lock.json': {},
      'tsconfig.json': {},
    };
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(checkoutFolder, name), JSON.stringify(content));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const run = (args: string[], path = '') =>
    new Promise<{ code: ExecFileException['code']; stdout: string; stderr: string }>((done) => {
      const { TEMPORAL_CLI_PATH: _, TEMPORAL_ADDRESS: __, npm_lifecycle_event: ___, ...inherited } = process.env;
      const env = { ...inherited, PATH: path, npm_execpath: npmFile, COUNTERSIGN_CACHE_DIR: cacheFolder };
      execFile(process.execPath, args, { cwd: checkoutFolder, env }, (error, stdout, stderr) =>
        done({ code: error?.code ?? 0, stdout, stderr }),
      );
    });

  const makeTemporal = (script: string) =>
    writeFileSync(temporalFile, `#!${process.execPath}\n${script}`, { mode: 0o755 });

  it('a first start installs two parts at the same time: packages and build, and the Temporal dev server', async () => {
    makeTemporal(`const done = () => console.log('temporal version 1.5.1 (Server 1.29.1)');
      require('node:fs').writeFileSync(${JSON.stringify(startedFile('temporal'))}, '');${waitForFileScript(startedFile('npm'))}`);
    const stack = `exports.Stack = class {
      settings = {};
      isStopping = true;
      startAll() {
        console.log('started with ' + process.env.TEMPORAL_CLI_PATH);
      }
    };`;
    const compiler = `exports.convertCompilerOptionsFromJson = () => ({ options: {} });
      exports.transpileModule = () => ({ outputText: ${JSON.stringify(stack)}, sourceMapText: '{}' });`;
    writeFileSync(
      npmFile,
      `const { mkdirSync, writeFileSync } = require('node:fs');
      const done = () => {
        mkdirSync('node_modules/typescript', { recursive: true });
        writeFileSync('node_modules/typescript/index.js', ${JSON.stringify(compiler)});
        writeFileSync('node_modules/.package-lock.json', '');
      };
      writeFileSync(${JSON.stringify(startedFile('npm'))}, '');${waitForFileScript(startedFile('temporal'))}`,
    );
    const { code, stdout, stderr } = await run(['dev/start.mjs'], programsFolder);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`started with ${temporalFile}`);
  });

  it('a first start stops at once when a part fails, and prints what to do', async () => {
    const waitMs = 120_000;
    makeTemporal(`setTimeout(() => undefined, ${waitMs});`);
    writeFileSync(npmFile, "console.error('npm error: no network'); process.exit(1);");
    const startedAt = Date.now();
    const { code, stderr } = await run(['dev/start.mjs'], programsFolder);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/no network\n.*Installing the npm packages failed/)]);
    expect(Date.now() - startedAt).toBeLessThan(waitMs / 4);
  });

  it('npm start prints its usage, and refuses options', async () => {
    const help = await run(['dev/start.mjs', '--help']);
    expect([help.code, help.stdout]).toEqual([0, expect.stringMatching(/^Usage: npm start\n/)]);
    const refused = await run(['dev/start.mjs', '--port', '1']);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/^There is no option --port\.\nUsage: /)]);
  });

  it('a first start uses the Temporal dev server in the cache, whatever the version of the SDK is', async () => {
    const program = join(cacheFolder, 'temporal-1.5.1', 'temporal');
    mkdirSync(join(cacheFolder, 'temporal-1.5.1'));
    writeFileSync(program, '');
    const script = `import { installTemporal } from './dev/install/programs.mjs'; console.log(await installTemporal());`;
    const { stdout } = await run(['--input-type=module', '-e', script]);
    expect(stdout).toBe(`${program}\n`);
  });
});
