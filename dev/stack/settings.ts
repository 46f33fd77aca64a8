import { resolve } from 'node:path';
import { StackError } from './stack-error';

export interface StackPorts {
  api: number;
  inbox: number;
  temporal: number;
  temporalUi: number;
  postgres: number;
  /** Undefined: any free port, remembered in the data folder. */
  smtp?: number | undefined;
}

/** Variable that moves each port, named in the message when one is taken. */
export const portVariables = {
  api: 'PORT',
  inbox: 'INBOX_PORT',
  temporal: 'TEMPORAL_PORT',
  temporalUi: 'TEMPORAL_UI_PORT',
  postgres: 'POSTGRES_PORT',
  smtp: 'INBOX_SMTP_PORT',
} as const satisfies Record<keyof StackPorts, string>;

export interface StackSettings {
  root: string;
  dataDir: string;
  ports: StackPorts;
  publicUrl: string;
  /** The caller's environment: parts inherit it, and what it sets wins over what the stack would set. */
  environment: NodeJS.ProcessEnv;
  temporalProgram?: string | undefined;
  /** Compiled scripts by part, where not those of this checkout. */
  scripts: Partial<Record<'inbox' | 'worker' | 'api', string>>;
}

function readPort(environment: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const text = environment[name];
  if (!text) return fallback;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new StackError(`${name}=${text} is not a port: set ${name} to a number from 1 to 65535.`);
}

/** Reads ports, data folder and addresses of a local stack from an environment. Throws StackError on a wrong one. */
export function readStackSettings(
  root: string,
  given: NodeJS.ProcessEnv,
  scripts: StackSettings['scripts'] = {},
): StackSettings {
  // An empty variable is an unset one, as for the parts themselves.
  const environment = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
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
    environment,
    temporalProgram: environment['TEMPORAL_CLI_PATH'] || undefined,
    scripts,
  };
}

/** Where the database of a local stack is, for its own user. */
export const postgresAddress = (port: number, password: string, database = 'countersign'): string =>
  `postgres://countersign:${password}@127.0.0.1:${port}/${database}`;

/** True when this part runs elsewhere and the stack must not start its own. */
export const isElsewhere = {
  postgres: (settings: StackSettings) => Boolean(settings.environment['DATABASE_URL']),
  temporal: (settings: StackSettings) => Boolean(settings.environment['TEMPORAL_ADDRESS']),
  /** The inbox plays both Twilio and the mail server: it is not needed when both are given. */
  inbox: ({ environment }: StackSettings) => Boolean(environment['SMTP_URL'] && environment['TWILIO_BASE_URL']),
};
