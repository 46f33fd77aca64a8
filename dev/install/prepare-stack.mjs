import { buildProject } from './build-project.mjs';
import { installTemporal } from './install-temporal.mjs';
import { installPackages } from './install-packages.mjs';

async function prepareProgram() {
  await installPackages();
  await buildProject();
}

/**
 * Installs and builds what a local stack needs, and gets the Temporal dev server at the same time, because a new machine
 * waits minutes for either. Sets TEMPORAL_CLI_PATH unless Temporal runs elsewhere.
 */
export async function prepareStack() {
  const temporal = process.env.TEMPORAL_ADDRESS ? undefined : installTemporal();
  await Promise.all([temporal, prepareProgram()]);
  if (temporal) process.env.TEMPORAL_CLI_PATH = await temporal;
}
