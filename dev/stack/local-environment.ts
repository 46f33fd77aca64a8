import { dataPaths, readJson } from './data-folder';
import type { LocalSecrets } from './local-secrets';
import { postgresAddress } from './settings';
import { isRunning } from './process-identity';
import type { RunningStack } from './running-stack';
import { StackError } from './stack-error';

/** Environment variables for the database of the running local stack. Throws StackError when none is running. */
export function localEnvironment(dataDir: string): Record<string, string> {
  const { secretsFile, runningFile } = dataPaths(dataDir);
  const runningStack = readJson(runningFile) as RunningStack | undefined;
  const secrets = readJson(secretsFile) as LocalSecrets | undefined;
  if (!runningStack || !secrets || !isRunning(runningStack.supervisor))
    throw new StackError(
      `No local stack is running on ${dataDir}. Run \`npm start\` first, set its DATA_DIR, or set DATABASE_URL and the other settings that the API needs (docs/operators.md).`,
    );
  return {
    DATABASE_URL: postgresAddress(runningStack.ports.postgres, secrets.postgresPassword),
    SERVICE_KEY: secrets.serviceKey,
    OTHER_SERVICE_KEYS: (secrets.otherServiceKeys ?? []).join(','),
    TWILIO_ACCOUNT_SID: secrets.twilioAccountSid,
    TWILIO_AUTH_TOKEN: secrets.twilioAuthToken,
  };
}
