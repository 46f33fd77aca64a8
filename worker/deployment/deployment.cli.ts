import { parseArgs } from 'node:util';
import { readDeploymentConfig } from '../../platform/config';
import type { Pool } from '../../platform/postgres/postgres';
import { type CommandContext, runOnDatabase } from '../../platform/postgres/command-database';
import { activate, type DeploymentCommands, drainVersions, ramp, rollBack, showStatus } from './commands';
import { openDrain } from './open-drain';
import { Deployment, ownVersion } from './versions';

const usage = `Usage:
  npm run deployment -- status
      lists the versions of the workers, with their workers and open workflows
  npm run deployment -- activate [<build id>]
      new workflows start on this version; default: the version of this release. Waits until its workers run
  npm run deployment -- ramp <build id> --percent <0 to 100>
      a share of the new workflows starts on this version; 0 ends the ramp
  npm run deployment -- drain [<build id>]
      moves the open workflows of this version to the active one; default: of all versions that are draining
  npm run deployment -- rollback [<build id>]
      ends a ramp, or activates the version that was active before; then moves the open workflows of the others to the
      active version

Options of activate, ramp, drain and rollback:
  --timeout <seconds>   how long to wait for workers, and for workflows that do not end by themselves (default: 120).
                        After this time, a workflow is terminated and resumed from its record

The settings are those of the worker: DATABASE_URL, SERVICE_KEY, TEMPORAL_ADDRESS and so on. If DATABASE_URL is not set,
the command uses the local stack (npm start) that runs with the same DATA_DIR (default: .data).
`;

const commandNames: ReadonlySet<string> = new Set(['status', 'activate', 'ramp', 'drain', 'rollback']);
const exampleId = '1a2b3c4d5e6f';

/** Shows and changes on which version of the workers workflows run. Returns the exit code: 1 if the command failed. */
export function runDeployment(args: readonly string[], context: CommandContext): Promise<number> {
  const { stdout } = context;
  return runOnDatabase(context, async (open) => {
    const options = {
      help: { type: 'boolean', short: 'h' },
      percent: { type: 'string' },
      timeout: { type: 'string', default: '120' },
    } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [command, buildId, ...rest] = positionals;
    if (values.help || command === undefined) {
      stdout.write(usage);
      return values.help ? 0 : 1;
    }
    const timeoutMs = Number(values.timeout) * 1_000;
    const percent = values.percent === undefined ? undefined : Number(values.percent);
    if (!commandNames.has(command) || rest.length > 0 || !(timeoutMs >= 0))
      throw new Error(`${usage}\nThe command is not valid: ${positionals.join(' ')}`);
    if (command === 'ramp' && (buildId === undefined || percent === undefined || !(percent >= 0 && percent <= 100)))
      throw new Error(`Name a version and a share: npm run deployment -- ramp ${exampleId} --percent 10`);
    const { pool, settings } = open(readDeploymentConfig);
    const { close, ...commands } = openCommands(pool, settings, {
      write: (text) => void stdout.write(text),
      isTTY: stdout.isTTY === true,
      timeoutMs,
    });
    try {
      if (command === 'status') await showStatus(commands);
      if (command === 'activate') await activate(commands, buildId ?? ownVersion(settings).buildId);
      if (command === 'ramp') await ramp(commands, buildId ?? '', percent ?? 0);
      if (command === 'drain') await drainVersions(commands, buildId);
      if (command === 'rollback') await rollBack(commands, buildId);
      return 0;
    } finally {
      await close();
    }
  });
}

function openCommands(
  pool: Pool,
  settings: ReturnType<typeof readDeploymentConfig>,
  output: Pick<DeploymentCommands, 'write' | 'isTTY' | 'timeoutMs'>,
): DeploymentCommands & { close: () => Promise<void> } {
  const { TEMPORAL_NAMESPACE: namespace, WORKER_DEPLOYMENT: name } = settings;
  const { close, ...dependencies } = openDrain(pool, settings);
  return {
    ...output,
    deployment: new Deployment(dependencies.client, namespace, name),
    dependencies,
    close,
  };
}
