import { type Browser, chromium } from 'playwright-core';
import { browserOptions, type BrowserProgram, cameraFlags } from './servers/start-browser';
import { acquireServer } from './servers/acquire-server';

export interface BrowserOptions {
  /** By default, the headless shell of Chromium. With a camera that the user refused, always the full Chromium. */
  program?: BrowserProgram;
  /** By default, the camera of the machine, which usually does not exist. */
  camera?: keyof typeof cameraFlags;
  /** A video file (.mjpeg or .y4m) that the camera repeats, in place of the test pattern. */
  videoFile?: string;
}

/** A real browser. Closing removes its contexts. Its process serves other suites later, unless it has a video. */
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
