import { type Browser, chromium } from 'playwright-core';
import { browserOptions, type BrowserProgram, cameraFlags } from './servers/start-browser';
import { acquireServer } from './servers/acquire-server';

export interface BrowserOptions {
  /** By default, Chromium without a window (`shell`). If the camera is `refused`, always the full Chromium. */
  program?: BrowserProgram;
  /** By default, the camera of the machine, which usually does not exist. */
  camera?: keyof typeof cameraFlags;
  /** A video file (.mjpeg or .y4m) that the fake camera shows again and again, in place of its test pattern. */
  videoFile?: string;
}

/**
 * Opens a real browser. With a `videoFile`, the browser is a new process, and `close` ends this process. Without a `videoFile`, the process
 * stays for other suites, and `close` removes only what this suite opened in the browser.
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
