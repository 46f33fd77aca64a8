import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../../../dev/stack/free-port';
import { openBrowser } from '../../support/browser';
import { openGuide } from '../../support/guide';
import { waitUntil } from '../../support/wait-until';
import { type GetTestStack, root } from '../support/test-stack';

const { codeBlock } = openGuide('embedding.md');

/** Runs the commands of the guide, and returns their output. `port`: the port of the caller's site. */
async function allowAddresses({ stack }: ReturnType<GetTestStack>, port: number): Promise<string> {
  const env = { ...process.env, PORT: new URL(stack.addresses.api).port, DATA_DIR: stack.dataDir };
  const script = `set -e\n${codeBlock('allow').replaceAll('8080', String(port))}`;
  return (await promisify(execFile)('bash', ['-c', script], { cwd: root, env })).stdout;
}

async function startExample(folder: string, env: Record<string, string>): Promise<ChildProcess> {
  const file = join(folder, 'embed.mjs');
  writeFileSync(file, codeBlock('example'));
  const example = spawn(process.execPath, [file], { env: { ...process.env, ...env }, stdio: 'inherit' });
  await waitUntil(
    async () => (await fetch(`http://localhost:${env['PORT']}/none`).catch(() => undefined)) !== undefined,
  );
  return example;
}

/** The guide embedding.md in a real browser: a page of Countersign in a frame on a caller's site. */
export function describeEmbedding(getTestStack: GetTestStack): void {
  it('the example of the guide shows the code page in a frame, and gets the result', async () => {
    const { api, inbox, stack } = getTestStack();
    const port = await findFreePort();
    const printed = await allowAddresses(getTestStack(), port);
    expect(printed).toContain(`  return URL http://localhost:${port}/\n`);
    expect(printed).toContain(`  origin http://localhost:${port}\n`);
    const folder = mkdtempSync(join(tmpdir(), 'countersign-embed-'));
    const browser = await openBrowser();
    const example = await startExample(folder, {
      TOKEN: await stack.token(),
      API: stack.addresses.api,
      PORT: String(port),
    });
    try {
      const page = await browser.newPage();
      await page.addInitScript(
        "window.ids = []; addEventListener('message', ({ data }) => ids.push(data.transactionId));",
      );
      await page.goto(`http://localhost:${port}/`);
      await page.waitForFunction('window.ids.length > 0');
      const id = await page.evaluate<string>('window.ids[0]');
      const { phone } = (await api.get(`/v1/transaction/${id}`)).body as { phone: { number: number } };
      const frame = page.frameLocator('#confirm');
      await frame.locator('#code').fill(await inbox.waitForCode(`+5511${phone.number}`, 'sms'));
      await frame.getByRole('button', { name: 'Confirmar' }).click();
      await page.getByText('succeeded: Valid').waitFor();
    } finally {
      example.kill();
      if (example.exitCode === null) await once(example, 'exit');
      await browser.close();
      rmSync(folder, { recursive: true });
    }
  });
}
