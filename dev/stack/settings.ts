import { resolve } from 'node:path';
import { StackError } from './data-folder';

/** The ports of a stack that the user can choose. */
export interface StackPorts {
  api: number;
  inbox: number;
  temporal: number;
  temporalUi: number;
  postgres: number;
  /** The port for mails of the inbox. Undefined: the stack chooses a free port, and saves it in the data folder. */
  smtp?: number | undefined;
}

/** The environment variable of each port. */
export const portVariables = {
  api: 'PORT',
  inbox: 'INBOX_PORT',
  temporal: 'TEMPORAL_PORT',
  temporalUi: 'TEMPORAL_UI_PORT',
  postgres: 'POSTGRES_PORT',
  smtp: 'INBOX_SMTP_PORT',
} as const satisfies Record<keyof StackPorts, string>;

/** The settings of a local stack, as read from the environment. */
export interface StackSettings {
  /** The root folder of the repository. */
  root: string;
  dataDir: string;
  ports: StackPorts;
  publicUrl: string;
  /** Whether the Temporal UI shows decrypted payloads. The API decrypts them. */
  uiShowsClearText: boolean;
  /** The environment of the user, for all processes. It overrides most values of the stack (docs/configuration.md). */
  environment: NodeJS.ProcessEnv;
  temporalProgram?: string | undefined;
  /** Compiled scripts that replace those of this repository, by component. */
  scripts: Partial<Record<'inbox' | 'worker' | 'api', string>>;
}

function readPort(environment: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const text = environment[name];
  if (!text) return fallback;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new StackError(`${name}=${text} is not a port. Set it to a number from 1 to 65535.`);
}

/** Reads the settings of a local stack from the environment. Throws StackError for an invalid setting. */
export function readStackSettings(
  root: string,
  rawEnvironment: NodeJS.ProcessEnv,
  scripts: StackSettings['scripts'] = {},
): StackSettings {
  // An empty variable counts as unset, as in the service.
  const environment = Object.fromEntries(Object.entries(rawEnvironment).filter(([, value]) => value !== ''));
  const port = (name: keyof StackPorts, fallback: number) => readPort(environment, portVariables[name], fallback);
  const ports: StackPorts = {
    api: port('api', 3000),
    inbox: port('inbox', 3001),
    temporal: port('temporal', 7233),
    temporalUi: port('temporalUi', 8233),
    postgres: port('postgres', 5433),
    smtp: environment['INBOX_SMTP_PORT'] ? port('smtp', 0) : undefined,
  };
  return {
    root,
    dataDir: resolve(root, environment['DATA_DIR'] || '.data'),
    ports,
    publicUrl: environment['PUBLIC_URL'] || `http://127.0.0.1:${ports.api}`,
    uiShowsClearText: environment['TEMPORAL_UI_CLEAR_TEXT'] !== 'false',
    environment,
    temporalProgram: environment['TEMPORAL_CLI_PATH'] || undefined,
    scripts,
  };
}

/** The connection URL of the database of a local stack. */
export const postgresAddress = (
  port: number,
  password: string,
  database = 'countersign',
  user = 'countersign',
): string => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;

/** Whether the user runs a component outside of the stack. The stack then does not start it. */
export const isExternal = {
  postgres: (settings: StackSettings) => Boolean(settings.environment['DATABASE_URL']),
  temporal: (settings: StackSettings) => Boolean(settings.environment['TEMPORAL_ADDRESS']),
  /** The inbox replaces Twilio and the mail server. It does not start if the user has set the addresses of both. */
  inbox: ({ environment }: StackSettings) => Boolean(environment['SMTP_URL'] && environment['TWILIO_BASE_URL']),
};
