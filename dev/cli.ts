import { runClients } from '../api/clients/clients.cli';
import { runMailReports } from '../api/providers/mail-reports.cli';
import { runKeys } from '../platform/keys/keys.cli';
import { runSigningKeys } from '../platform/keys/signing-keys.cli';
import { runMigrate } from '../platform/postgres/migrate.cli';
import { runBackup } from '../worker/backup/backup.cli';
import { runRestore } from '../worker/backup/restore.cli';
import { runDeployment } from '../worker/deployment/deployment.cli';
import { runTemporal } from '../worker/temporal.cli';
import { commandEnvironment } from './stack/local-secrets';

// `npm run backup`, `client`, `deployment`, `keys`, `mail-reports`, `migrate`, `restore`, `signing-keys` and `temporal`. The first argument is
// the name of the command.

const [, , name = '', ...args] = process.argv;
const run = {
  backup: runBackup,
  client: runClients,
  deployment: runDeployment,
  keys: runKeys,
  'mail-reports': runMailReports,
  migrate: runMigrate,
  restore: runRestore,
  'signing-keys': runSigningKeys,
  temporal: runTemporal,
}[name];
const context = { environment: commandEnvironment, stdout: process.stdout, stderr: process.stderr };
void run?.(args, context).then((code) => {
  process.exitCode = code;
});
