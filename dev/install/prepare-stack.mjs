import { buildProject } from './build-project.mjs';
import { installTemporal } from './install-temporal.mjs';
import { installPackages } from './install-packages.mjs';

async function prepareProgram() {
  await installPackages();
  await buildProject();
}

/**
 * Installs packages and builds the project. If TEMPORAL_ADDRESS is not set, installs the Temporal dev server in parallel, and sets
 * TEMPORAL_CLI_PATH. On a new machine, each of these two parts takes minutes.
 */
export async function prepareStack() {
  const temporal = process.env.TEMPORAL_ADDRESS ? undefined : installTemporal();
  await Promise.all([temporal, prepareProgram()]);
  if (temporal) process.env.TEMPORAL_CLI_PATH = await temporal;
}
