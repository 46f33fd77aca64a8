import { existsSync } from 'node:fs';
import { findFreePort } from '../../../dev/stack/free-port';
import type { TestServer } from './start-program';

const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];
const backgroundFlags = ['--disable-component-update', '--disable-sync'];

/** A fake camera with a moving test pattern; `allowed` grants access without a prompt. */
export const cameraFlags = {
  allowed: ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
  refused: ['--use-fake-device-for-media-stream'],
};

/** The launch options of Chromium. `npm test` installs it if it is missing. */
export function browserOptions(extraFlags: readonly string[] = []): { executablePath: string; args: string[] } {
  // oxlint-disable-next-line node/no-process-env -- the test runner sets the path of the browser
  const executablePath = process.env['CHROMIUM_PATH'] || '/usr/bin/chromium';
  if (!existsSync(executablePath))
    throw new Error('There is no Chromium: set CHROMIUM_PATH, or run the tests by npm test.');
  return { executablePath, args: [...flags, ...backgroundFlags, ...extraFlags] };
}

/** A browser that suites reach over the DevTools protocol. */
export async function startBrowser(camera?: keyof typeof cameraFlags): Promise<TestServer> {
  const port = await findFreePort();
  const { chromium } = await import('playwright-core');
  const extraFlags = [...(camera ? cameraFlags[camera] : []), `--remote-debugging-port=${port}`];
  const browser = await chromium.launch(browserOptions(extraFlags));
  return { address: `http://127.0.0.1:${port}`, stop: () => browser.close() };
}
