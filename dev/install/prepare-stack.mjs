import { buildProject } from './build-project.mjs';
import { installPackages } from './install-packages.mjs';
import { installTemporal } from './programs.mjs';

/**
 * Installs packages and builds the project. If TEMPORAL_ADDRESS is not set, installs the Temporal dev server in parallel, and sets
 * TEMPORAL_CLI_PATH. On a new machine, each of these two parts takes minutes.
 */
export async function prepareStack() {
  const temporal = process.env.TEMPORAL_ADDRESS ? undefined : installTemporal();
  const [path] = await Promise.all([temporal, installPackages().then(buildProject)]);
  if (path) process.env.TEMPORAL_CLI_PATH = path;
}
