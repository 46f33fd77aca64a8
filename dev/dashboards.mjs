import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildProject } from './install/build-project.mjs';
import { root, runCommand } from './install/command.mjs';

// Writes the dashboards for Grafana, after a change in dev/dashboards.

await runCommand(async () => {
  await buildProject();
  createRequire(import.meta.url)(join(root, 'dist', 'dev', 'dashboards', 'main.js')).writeDashboards(
    join(root, 'deploy', 'grafana'),
  );
});
