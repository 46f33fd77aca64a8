import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];
const quiet = ['--disable-component-update', '--disable-sync'];

/** A camera that shows a moving test picture; with `allowed`, pages get it without asking the person. */
const cameraFlags = {
  allowed: ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
  refused: ['--use-fake-device-for-media-stream'],
};

export interface BrowserOptions {
  /** Without it, the machine's own, which on most is none. */
  camera?: keyof typeof cameraFlags;
  /** A film in a file (.mjpeg or .y4m) that the camera shows, from its beginning again when it ends, for the test picture. */
  film?: string;
}

/** A real browser. `npm test` installs one where there is none, so a missing browser fails the test that needs it. */
export async function openBrowser({ camera, film }: BrowserOptions = {}): Promise<Browser> {
  // oxlint-disable-next-line node/no-process-env -- the runner of the tests says where it found a browser
  const executablePath = process.env['CHROMIUM_PATH'] || '/usr/bin/chromium';
  if (!existsSync(executablePath))
    throw new Error('There is no Chromium: set CHROMIUM_PATH, or run the tests by npm test.');
  const shown = [
    ...(camera ? cameraFlags[camera] : []),
    ...(film ? [`--use-file-for-fake-video-capture=${film}`] : []),
  ];
  return chromium.launch({ executablePath, args: [...flags, ...quiet, ...shown] });
}
