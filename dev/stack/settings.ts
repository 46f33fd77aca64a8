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

const defaultPorts: StackPorts = { api: 3000, inbox: 3001, temporal: 7233, temporalUi: 8233, postgres: 5433 };

/** Reads the settings of a local stack from the environment. Throws StackError for an invalid setting. */
export function readStackSettings(
  root: string,
  rawEnvironment: NodeJS.ProcessEnv,
  scripts: StackSettings['scripts'] = {},
): StackSettings {
  // An empty variable counts as unset, as in the service.
  const environment = Object.fromEntries(Object.entries(rawEnvironment).filter(([, value]) => value !== ''));
  const ports = { ...defaultPorts };
  for (const [name, variable] of Object.entries(portVariables) as [keyof StackPorts, string][]) {
    const text = environment[variable];
    if (text === undefined) continue;
    ports[name] = Number(text);
    if (!(Number.isInteger(ports[name]) && ports[name] > 0 && ports[name] < 65_536))
      throw new StackError(`${variable}=${text} is not a port. Set it to a number from 1 to 65535.`);
  }
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
