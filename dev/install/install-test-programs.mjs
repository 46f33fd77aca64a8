import { existsSync } from 'node:fs';
import { installTemporal } from './install-temporal.mjs';
import { installTestServer } from './install-test-server.mjs';
import { CommandError } from './command-error.mjs';
import { findOnPath, installWithApt } from './system-programs.mjs';

const findBrowser = () =>
  findOnPath('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable') ??
  [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ].find((file) => existsSync(file));

/** The path of a Chromium for the tests of pages. Throws CommandError when it cannot be installed. */
async function installChromium() {
  const configuredPath = process.env.CHROMIUM_PATH;
  if (configuredPath && existsSync(configuredPath)) return configuredPath;
  const browser = findBrowser() ?? ((await installWithApt('Chromium', ['chromium'])) && findBrowser());
  if (browser) return browser;
  throw new CommandError(
    'Chromium is missing. Install Chromium or Google Chrome, or set CHROMIUM_PATH, then run the tests again.',
  );
}

/** The path of a Chromium without windows, which needs less CPU time. Undefined if it is missing and apt-get cannot install it. */
async function installChromiumShell() {
  const findShell = () => findOnPath('chromium-headless-shell');
  return (
    findShell() ?? ((await installWithApt('Chromium shell', ['chromium-headless-shell'])) ? findShell() : undefined)
  );
}

/** Installs the programs that the tests need, in parallel. Returns environment variables with their paths. */
export async function installTestPrograms() {
  const [temporal, testServer, chromium, shell] = await Promise.all([
    installTemporal(),
    installTestServer(),
    installChromium(),
    installChromiumShell(),
  ]);
  return {
    TEMPORAL_CLI_PATH: temporal,
    TEMPORAL_TEST_SERVER_PATH: testServer,
    CHROMIUM_PATH: chromium,
    ...(shell && { CHROMIUM_SHELL_PATH: shell }),
  };
}
