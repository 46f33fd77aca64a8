import { copyFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { cachedFolder, runGo } from './cached-folder.mjs';
import { installHelm } from './install-python.mjs';
import { runWithProgress } from './progress.mjs';

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

async function fill(folder) {
  await runGo(['install', composeParser], folder);
  for (const { module, file } of crds) {
    const { Dir } = JSON.parse(await runGo(['mod', 'download', '-json', module]));
    copyFileSync(join(Dir, file), join(folder, basename(file)));
  }
}

/** The folder with the parser of compose files, and with the schemas. */
function installFiles() {
  const versions = [composeParser, ...crds.map(({ module }) => module)].map((name) => name.split('@v')[1]).join('-');
  return cachedFolder(`deploy-tools-${versions}`, (folder) =>
    runWithProgress('Building the parser of compose files with Go (once)', () => fill(folder)),
  );
}

/** Installs what the tests of deploy/ and docker-compose.yml need. Returns environment variables with the paths. Throws CommandError. */
export async function installDeployTools() {
  const [python, folder] = await Promise.all([installHelm(), installFiles()]);
  return { HELM_PYTHON_PATH: python, DEPLOY_TOOLS_DIR: folder };
}
