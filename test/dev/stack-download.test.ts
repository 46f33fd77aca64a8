import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const program = '#!/bin/sh\necho temporal\n';

describe('the download of the Temporal programs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-download-'));
  const [sourceFolder, cacheFolder] = [join(folder, 'offered'), join(folder, 'cache')];
  const file = join(cacheFolder, 'temporal');
  const requestedPaths: string[] = [];
  let server: Server;
  let source: string;

  beforeAll(async () => {
    mkdirSync(join(sourceFolder, 'bin'), { recursive: true });
    mkdirSync(cacheFolder);
    writeFileSync(join(sourceFolder, 'bin', 'temporal'), program);
    chmodSync(join(sourceFolder, 'bin', 'temporal'), 0o755);
    const archive = execFileSync('tar', ['-cz', 'bin'], { cwd: sourceFolder });
    server = createServer((request, response) => {
      requestedPaths.push(request.url ?? '');
      if (request.url === '/archive') response.end(archive);
      else if (request.url?.startsWith('/cli/')) {
        response.end(JSON.stringify({ archiveUrl: `${source}/archive`, fileToExtract: 'bin/temporal' }));
      } else response.writeHead(404).end();
    });
    await new Promise<void>((ready) => {
      server.listen(0, '127.0.0.1', ready);
    });
    source = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  // Jest cannot load this ES module, so it runs in its own process.
  const download = async (artifact: string) => {
    const script = `import { downloadTemporal } from ${JSON.stringify(resolve('dev/install/programs.mjs'))};
      console.log(await downloadTemporal(${JSON.stringify(artifact)}, ${JSON.stringify(cacheFolder)}, 'temporal', '${source}'));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
    return stdout.trim();
  };

  it('the download returns false and leaves no program if the program is not available', async () => {
    expect(await download('unknown')).toBe('false');
    expect(existsSync(file)).toBe(false);
  });

  it('the download requests the program for the version of the SDK and makes it executable', async () => {
    expect(await download('cli')).toBe('true');
    expect(requestedPaths.some((url) => /^\/cli\/default\?.*sdk-version=1\.22\.0/.test(url))).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe(program);
    expect(statSync(file).mode & 0o777).toBe(0o755);
  });
});
