import type { Pool } from '../../platform/postgres';

/** A command of `npm run client`. Returns its output. */
export type Command = (pool: Pool) => Promise<string>;

export const unknownClient = (clientId: string) =>
  new Error(`The client ${clientId} does not exist or is already revoked. npm run client -- list shows all clients.`);
