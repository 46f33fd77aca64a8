import { existsSync } from 'node:fs';
import { findFreePort } from '../../../dev/stack/free-port';
import type { RunningProgram } from '../../../dev/stack/start-program';

const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];
const backgroundFlags = ['--disable-component-update', '--disable-sync'];

/** A fake camera with a moving test pattern. `allowed`: every page may use the camera without a prompt. `refused`: no page may use it. */
export const cameraFlags = {
  allowed: ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
  refused: ['--use-fake-device-for-media-stream'],
};

/** `shell`: Chromium without its window. It takes a third of the CPU time of `chromium`, and has no permission prompts. */
export type BrowserProgram = 'chromium' | 'shell';

function findProgram(program: BrowserProgram): string {
  // oxlint-disable node/no-process-env -- the test runner sets the paths of the browsers
  const chromium = process.env['CHROMIUM_PATH'] || '/usr/bin/chromium';
  const shell = process.env['CHROMIUM_SHELL_PATH'];
  // oxlint-enable node/no-process-env
  const path = (program === 'shell' && shell) || chromium;
  if (!existsSync(path)) throw new Error('There is no Chromium: set CHROMIUM_PATH, or run the tests by npm test.');
  return path;
}

/** `npm test` installs Chromium if it is missing. */
export function browserOptions(
  program: BrowserProgram,
  extraFlags: readonly string[] = [],
): { executablePath: string; args: string[] } {
  const executablePath = findProgram(program);
  return { executablePath, args: [...flags, ...backgroundFlags, ...extraFlags] };
}

/** A browser that suites reach over the DevTools protocol. */
export async function startBrowser(
  program: BrowserProgram,
  camera?: keyof typeof cameraFlags,
): Promise<RunningProgram> {
  const port = await findFreePort();
  const { chromium } = await import('playwright-core');
  const extraFlags = [...(camera ? cameraFlags[camera] : []), `--remote-debugging-port=${port}`];
  const browser = await chromium.launch(browserOptions(program, extraFlags));
  return { address: `http://127.0.0.1:${port}`, stop: () => browser.close() };
}
