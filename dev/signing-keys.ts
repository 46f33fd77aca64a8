import { runSigningKeys } from '../platform/keys/signing-keys.cli';
import { commandEnvironment } from './stack/local-secrets';

const context = { environment: commandEnvironment, stdout: process.stdout, stderr: process.stderr };
void runSigningKeys(process.argv.slice(2), context).then((code) => {
  process.exitCode = code;
});
