import type { Pool } from '../../platform/postgres/postgres';

/** A command of `npm run client`. Returns its output. */
export type Command = (pool: Pool) => Promise<string>;

/** The error of a command whose client does not exist or was revoked. It says what to do. */
export const unknownClient = (clientId: string) =>
  new Error(`The client ${clientId} does not exist or is already revoked. npm run client -- list shows all clients.`);
