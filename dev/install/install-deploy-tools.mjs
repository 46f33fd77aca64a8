import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CommandError } from './command.mjs';
import { withFileLock } from './file-lock.mjs';
import { installHelm } from './install-python.mjs';
import { findOnPath, makeCacheDir } from './find-program.mjs';
import { runWithProgress } from './progress.mjs';
import { lastLines, runProgram } from './run-program.mjs';

/** The parser that Docker Compose uses, as a program. It builds in a tenth of the time of Docker Compose. */
const composeParser = 'github.com/compose-spec/compose-go/v2/cmd@v2.16.2';
/** The schemas of objects that the chart can create for other programs: the module, and the file in it. */
const crds = [
  {
    module: 'github.com/prometheus-operator/prometheus-operator@v0.92.1',
    file: 'example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml',
  },
  { module: 'github.com/kedacore/keda/v2@v2.20.2', file: 'config/crd/bases/keda.sh_scaledobjects.yaml' },
];

async function runGo(args, env) {
  const go = findOnPath('go');
  if (!go) throw new CommandError('Go is missing. Install Go 1.25 or newer, then run this command again.');
  const { code, output } = await runProgram(go, args, { env });
  if (code === 0) return output;
  throw new CommandError(`${lastLines(output, 12)}\n\`go ${args.join(' ')}\` failed. Check the network and GOPROXY.`);
}

async function fill(folder) {
  await runGo(['install', composeParser], { GOBIN: folder, CGO_ENABLED: '0' });
  for (const { module, file } of crds) {
    const { Dir } = JSON.parse(await runGo(['mod', 'download', '-json', module]));
    copyFileSync(join(Dir, file), join(folder, basename(file)));
  }
}

/** The folder with the parser of compose files, and with the schemas. Its name has the versions, so that a new version is installed. */
async function installFiles() {
  const versions = [composeParser, ...crds.map(({ module }) => module)].map((name) => name.split('@v')[1]).join('-');
  const folder = join(makeCacheDir(), `deploy-tools-${versions}`);
  const install = async () => {
    if (existsSync(folder)) return;
    const partial = mkdtempSync(`${folder}-`);
    try {
      await runWithProgress('Building the parser of compose files with Go (once)', () => fill(partial));
      renameSync(partial, folder);
    } finally {
      rmSync(partial, { recursive: true, force: true });
    }
  };
  if (!existsSync(folder)) await withFileLock(`${folder}.lock`, install);
  return folder;
}

/** Installs what the tests of deploy/ and docker-compose.yml need. Returns environment variables with the paths. Throws CommandError. */
export async function installDeployTools() {
  const [python, folder] = await Promise.all([installHelm(), installFiles()]);
  return { HELM_PYTHON_PATH: python, DEPLOY_TOOLS_DIR: folder };
}
