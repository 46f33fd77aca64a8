import { buildClient } from './install/build-client.mjs';
import { buildProject } from './install/build-project.mjs';
import { installPackages } from './install/install-packages.mjs';
import { runCommand } from './install/command.mjs';

await runCommand(async () => {
  await installPackages();
  await buildProject();
  await buildClient();
});
