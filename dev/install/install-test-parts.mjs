import { findChromium } from './find-chromium.mjs';
import { findTemporal } from './find-temporal.mjs';
import { findTestServer } from './find-test-server.mjs';

/** Gets every program that the tests need besides packages, and answers the variables that tell the tests where. */
export async function installTestParts() {
  return {
    TEMPORAL_CLI_PATH: await findTemporal(),
    TEMPORAL_TEST_SERVER_PATH: await findTestServer(),
    CHROMIUM_PATH: await findChromium(),
  };
}
