import { type Browser, chromium } from 'playwright-core';
import { browserOptions, type BrowserProgram, cameraFlags } from './servers/start-browser';
import { acquireServer } from './servers/acquire-server';

export interface BrowserOptions {
  /** By default `shell`: Chromium without a window. If the camera is `refused`, and there is no `videoFile`: always the full Chromium. */
  program?: BrowserProgram;
  /** By default, the camera of the machine, which usually does not exist. */
  camera?: keyof typeof cameraFlags;
  /** A video file (.mjpeg or .y4m) that the fake camera repeats, in place of its test pattern. */
  videoFile?: string;
}

/**
 * With a `videoFile`, `close` ends the new browser process. Otherwise, the process stays for other suites, and `close` removes only what
 * this suite opened.
 */
export async function openBrowser({ program = 'shell', camera, videoFile }: BrowserOptions = {}): Promise<Browser> {
  if (videoFile !== undefined)
    return chromium.launch(
      browserOptions(program, [
        ...(camera ? cameraFlags[camera] : []),
        `--use-file-for-fake-video-capture=${videoFile}`,
      ]),
    );
  const kind = camera === 'refused' ? 'chromium-refused' : camera ? (`${program}-${camera}` as const) : program;
  const { address, release } = await acquireServer(kind);
  const browser = await chromium.connectOverCDP(address);
  const disconnect = browser.close.bind(browser);
  browser.close = async (options) => {
    await disconnect(options);
    await release();
  };
  return browser;
}
