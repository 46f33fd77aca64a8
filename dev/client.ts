import { runClients } from '../api/clients/clients.cli';
import { commandEnvironment } from './stack/local-secrets';

const context = { environment: commandEnvironment, stdout: process.stdout, stderr: process.stderr };
void runClients(process.argv.slice(2), context).then((code) => {
  process.exitCode = code;
});
