import { buildProject } from './build-project.mjs';
import { installTemporal } from './install-temporal.mjs';
import { installPackages } from './install-packages.mjs';

async function prepareProgram() {
  await installPackages();
  await buildProject();
}

/**
 * Installs packages and builds the project, and in parallel installs the Temporal dev server. On a new machine, each takes minutes. If
 * TEMPORAL_ADDRESS is not set, sets TEMPORAL_CLI_PATH.
 */
export async function prepareStack() {
  const temporal = process.env.TEMPORAL_ADDRESS ? undefined : installTemporal();
  await Promise.all([temporal, prepareProgram()]);
  if (temporal) process.env.TEMPORAL_CLI_PATH = await temporal;
}
