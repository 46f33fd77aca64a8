import { existsSync } from 'node:fs';
import { findOnPath } from './find-on-path.mjs';
import { installWithApt } from './install-with-apt.mjs';
import { MissingPart } from './missing-part.mjs';

const installed = () =>
  findOnPath('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable') ??
  [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ].find((file) => existsSync(file));

/** The path of a Chromium for the tests of pages. Throws MissingPart when there is none and none can be installed. */
export async function findChromium() {
  const given = process.env.CHROMIUM_PATH;
  if (given && existsSync(given)) return given;
  const found = installed();
  if (found) return found;
  if (await installWithApt('Chromium', ['chromium'])) return installed();
  throw new MissingPart(
    'Chromium could not be had: install Chromium or Google Chrome, or set CHROMIUM_PATH to one, then run the tests again.',
  );
}
