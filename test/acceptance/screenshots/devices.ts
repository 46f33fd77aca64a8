import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type BrowserOptions, openBrowser } from '../../support/browser';
import { screenshotTime, stabilizeResponses } from './stabilize-responses';

/** With `deviceScaleFactor` 2, screenshots are sharp in the guide, and their files are small. */
const telephone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};
const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 };
const devices = { telephone, desktop };

/** Swaps the requested width and height of the camera, as a phone in portrait does. A desktop browser does not swap them. */
const portraitCameraScript = `
  const { mediaDevices } = navigator;
  const startCamera = mediaDevices?.getUserMedia.bind(mediaDevices);
  if (startCamera)
    mediaDevices.getUserMedia = ({ video: { width, height, ...video }, ...otherConstraints }) =>
      startCamera({ ...otherConstraints, video: { ...video, width: height, height: width } });`;

/** The cookies of a browser. */
type Storage = NonNullable<BrowserContextOptions['storageState']>;

export interface Device {
  page: Page;
  /**
   * Returns the cookies, for the next browser. Each capture needs its own camera video, and a browser can show only one video. So each
   * capture needs a new browser.
   */
  cookies: () => Promise<Storage>;
}

/** Opens a device with its own browser, calls `callback`, and closes the browser. Returns the result of the callback. */
export async function withDevice<Result>(
  kind: keyof typeof devices,
  { storageState, ...options }: BrowserOptions & { storageState?: Storage },
  callback: (device: Device) => Promise<Result>,
): Promise<Result> {
  const browser: Browser = await openBrowser({ program: 'chromium', ...options });
  try {
    const context = await browser.newContext({
      ...devices[kind],
      ...{ locale: 'en-GB', timezoneId: 'America/Sao_Paulo' },
      ...(storageState && { storageState }),
    });
    if (kind === 'telephone') await context.addInitScript({ content: portraitCameraScript });
    await stabilizeResponses(context);
    const page = await context.newPage();
    await page.clock.setFixedTime(screenshotTime);
    return await callback({ page, cookies: () => context.storageState() });
  } finally {
    await browser.close();
  }
}
