import { type Browser, chromium } from 'playwright-core';
import { browserOptions, cameraFlags } from './servers/start-browser';
import { acquireServer } from './servers/borrow-server';

export interface BrowserOptions {
  /** Without it, the machine's own, which on most is none. */
  camera?: keyof typeof cameraFlags;
  /** A film in a file (.mjpeg or .y4m) that the camera shows, from its beginning again when it ends, for the test picture. */
  film?: string;
}

/**
 * A real browser with contexts of its own, which go when it is closed. The program behind it serves other suites later; one
 * with a film is the caller's own.
 */
export async function openBrowser({ camera, film }: BrowserOptions = {}): Promise<Browser> {
  if (film !== undefined)
    return chromium.launch(
      browserOptions([...(camera ? cameraFlags[camera] : []), `--use-file-for-fake-video-capture=${film}`]),
    );
  const { address, release: giveBack } = await acquireServer(camera ? `browser-${camera}` : 'browser');
  const browser = await chromium.connectOverCDP(address);
  const disconnect = browser.close.bind(browser);
  browser.close = async (options) => {
    await disconnect(options);
    await giveBack();
  };
  return browser;
}
