import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type BrowserOptions, openBrowser } from '../../support/browser';
import { screenshotTime, stabilizeResponses } from './stabilize-responses';

/** `deviceScaleFactor` 2 gives sharp screenshots in small files. */
const telephone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};
const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 };
const devices = { telephone, desktop };

/** A phone in portrait swaps the requested width and height of the camera. A desktop browser does not. */
const portraitCameraScript = `
  const { mediaDevices } = navigator;
  const startCamera = mediaDevices?.getUserMedia.bind(mediaDevices);
  if (startCamera)
    mediaDevices.getUserMedia = ({ video: { width, height, ...video }, ...otherConstraints }) =>
      startCamera({ ...otherConstraints, video: { ...video, width: height, height: width } });`;

type Storage = NonNullable<BrowserContextOptions['storageState']>;

export interface Device {
  page: Page;
  /** The cookies, for the next browser. A browser can show only one camera video, so each capture needs a new browser. */
  cookies: () => Promise<Storage>;
}

/** Opens a device in its own browser, and closes the browser after the callback. */
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
