import { parseArgs } from 'node:util';
import { quote, suggestNames } from '../../domain/text';
import { readDatabaseConfig } from '../../platform/config';
import { createLogger } from '../../platform/logger';
import { seenWithinSeconds } from '../../platform/postgres/polled-value';
import { directUrl, migrate, type Pool } from '../../platform/postgres/postgres';
import { type CommandContext, runOnDatabase } from '../../platform/postgres/command-database';
import { makeClient, makeSecret, type NewClient, saveClient } from './clients';
import {
  addAddress,
  addressesPerKindMax,
  type AddressKind,
  listAddresses,
  removeAddress,
} from './client-addresses.sql';
import { addSecret, listClients, listSecrets, removeSecret, revokeClient, updateScopes } from './clients.sql';
import { tenantName } from '../../platform/postgres/tenant-scope';
import { scopes } from '../http/auth/access-tokens';
import { parseOrigin, parseReturnUrlPrefix } from '../../platform/ip-addresses';

const usage = `Usage:
  npm run client -- add --tenant <tenant> [--scopes "${scopes.slice(0, 2).join(' ')} …"]
      adds a client, and prints its id and its secret
  npm run client -- list
      lists all clients, with their scopes
  npm run client -- update --client <client id> --scopes "…"
      replaces the scopes, and ends the access tokens of the client
  npm run client -- revoke --client <client id>
      revokes the client, and ends its access tokens
  npm run client -- add-secret --client <client id>
      adds a second secret, and prints the secret
  npm run client -- list-secrets --client <client id>
      lists the id of each secret, and the time of its last use
  npm run client -- remove-secret --client <client id> --secret <secret id>
      removes a secret, and ends the access tokens of this secret
  npm run client -- allow-return-url --client <client id> --url <https://…>
      allows hosted pages to send the person back to this URL
  npm run client -- remove-return-url --client <client id> --url <https://…>
      removes a return URL
  npm run client -- allow-origin --client <client id> --origin <https://…>
      allows the pages of this origin to show hosted pages in a frame (docs/embedding.md)
  npm run client -- remove-origin --client <client id> --origin <https://…>
      removes an origin

If DATABASE_URL is set, the command uses this database. If DATABASE_URL is not set, the command uses the local
stack (npm start) that runs with the same DATA_DIR (default: .data).
Scopes: ${scopes.slice(0, 6).join(' ')}
  ${scopes.slice(6).join(' ')}
Without --scopes, "add" grants all scopes except operator:decode. The scope operator:decode gives access to the data of all tenants.
`;

const validScopes: ReadonlySet<string> = new Set(['*', ...scopes]);

/** Reads the scopes of the option --scopes. Throws Error for an unknown scope. */
function readScopes(scopeList: string): NewClient['scopes'] {
  const names = scopeList.split(/[\s,]+/).filter(Boolean);
  const unknown = names.find((scope) => !validScopes.has(scope));
  if (unknown !== undefined)
    throw new Error(`The scope ${quote(unknown)} is unknown. ${suggestNames('Use', unknown, scopes)}`);
  if (names.length === 0) throw new Error('--scopes is empty. Name at least one scope, such as transaction:read.');
  return names as NewClient['scopes'];
}

/** A command that adds a client. Its output has the id and the secret, which cannot be read later. */
function addCommand(tenant: string, scopeList: string): Command {
  const { error } = tenantName.safeParse(tenant);
  if (error) throw new Error(`The tenant ${quote(tenant)} is invalid: it ${error.issues[0]?.message}.`);
  const client = makeClient(tenant, readScopes(scopeList));
  return async (pool) => {
    await saveClient(pool, client);
    return `client id:     ${client.clientId}\nclient secret: ${client.clientSecret}\nThe secret is not shown again.\n`;
  };
}

/** A line for each client, followed by an indented line for each address of its own site. */
const listCommand: Command = async (pool) => {
  const addresses = await listAddresses(pool, null);
  const rows = (await listClients(pool)).flatMap(({ clientId, tenant, scopes: clientScopes, createdAt, revokedAt }) => [
    [
      clientId,
      tenant,
      clientScopes.join(' '),
      `added ${createdAt.toISOString()}`,
      ...(revokedAt ? [`revoked ${revokedAt.toISOString()}`] : []),
    ].join('  '),
    ...addresses
      .filter((row) => row.clientId === clientId)
      .map(({ kind, address }) => `  ${kind === 'origin' ? 'origin' : 'return URL'} ${address}`),
  ]);
  return rows.map((row) => `${row}\n`).join('');
};

/** A command that revokes a client. */
function revokeCommand(clientId: string): Command {
  return async (pool) => {
    if (!(await revokeClient(pool, clientId))) throw unknownClient(clientId);
    return `${clientId} is revoked. Its access tokens stop working within ${seenWithinSeconds} seconds.\n`;
  };
}

/** A command that changes the scopes of a client. */
function updateCommand(clientId: string, scopeList: string): Command {
  const newScopes = readScopes(scopeList);
  return async (pool) => {
    if (!(await updateScopes(pool, clientId, newScopes))) throw unknownClient(clientId);
    return `${clientId} is changed. Its current access tokens stop working within ${seenWithinSeconds} seconds.\n`;
  };
}

/**
 * Returns the command that the arguments name. Undefined for --help. Throws Error with the usage text if the arguments are not a command.
 */
function readCommand(args: readonly string[]): Command | undefined {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      tenant: { type: 'string' },
      scopes: { type: 'string' },
      client: { type: 'string' },
      secret: { type: 'string' },
      url: { type: 'string' },
      origin: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const [name, ...extraArguments] = positionals;
  if (values.help) return undefined;
  if (extraArguments.length > 0) throw new Error(usage);
  const { tenant, scopes: scopeList, client, secret, url, origin } = values;
  if (name === 'add' && tenant) return addCommand(tenant, scopeList ?? '*');
  if (name === 'list') return listCommand;
  if (name === 'update' && client && scopeList !== undefined) return updateCommand(client, scopeList);
  if (name === 'revoke' && client) return revokeCommand(client);
  if (name === 'add-secret' && client) return addSecretCommand(client);
  if (name === 'list-secrets' && client) return listSecretsCommand(client);
  if (name === 'remove-secret' && client && secret) return removeSecretCommand(client, secret);
  if (name === 'allow-return-url' && client && url) return allowCommand(client, 'return_url', url);
  if (name === 'remove-return-url' && client && url) return disallowCommand(client, 'return_url', url);
  if (name === 'allow-origin' && client && origin) return allowCommand(client, 'origin', origin);
  if (name === 'remove-origin' && client && origin) return disallowCommand(client, 'origin', origin);
  throw new Error(usage);
}

/** Adds, lists, changes and revokes clients of the API. Returns the exit code. */
export function runClients(args: readonly string[], context: CommandContext): Promise<number> {
  return runOnDatabase(context, async (open) => {
    const command = readCommand(args);
    if (!command) {
      context.stdout.write(usage);
      return 0;
    }
    const { pool, settings } = open(readDatabaseConfig);
    await migrate(directUrl(settings), createLogger('client', 'error'));
    context.stdout.write(await command(pool));
    return 0;
  });
}

/** A command that gives a client a second secret. Its output has the secret, which cannot be read later. */
export function addSecretCommand(clientId: string): Command {
  const { secret, stored } = makeSecret();
  return async (pool) => {
    const result = await addSecret(pool, clientId, stored);
    if (result === 'unknown') throw unknownClient(clientId);
    if (result === 'full')
      throw new Error(
        `The client ${clientId} already has two secrets. npm run client -- list-secrets shows both, and remove-secret removes one.`,
      );
    const others =
      result === 'only' ? 'The client has no other secret.' : 'The other secret of the client still works.';
    return `secret id:     ${stored.id}\nclient secret: ${secret}\nThe secret is not shown again. ${others}\n`;
  };
}

/** A command that lists the live secrets of a client, without the secrets themselves. */
export const listSecretsCommand =
  (clientId: string): Command =>
  async (pool) => {
    const rows = (await listSecrets(pool, clientId)).map(({ id, createdAt, usedAt }) =>
      [id, `added ${createdAt.toISOString()}`, usedAt ? `last used ${usedAt.toISOString()}` : 'never used'].join('  '),
    );
    return rows.map((row) => `${row}\n`).join('') || `${clientId} has no secret.\n`;
  };

/** A command that removes a secret of a client. The other secret and its access tokens stay valid. */
export const removeSecretCommand =
  (clientId: string, secretId: string): Command =>
  async (pool) => {
    if (!(await removeSecret(pool, clientId, secretId)))
      throw new Error(
        `The client ${clientId} has no secret ${secretId}. npm run client -- list-secrets --client ${clientId} shows its secrets.`,
      );
    return `${secretId} is removed. Access tokens that were issued with it stop working within ${seenWithinSeconds} seconds.\n`;
  };

/** For each kind of address: its option of the command line (`option`), and its name in messages (`text`). */
const names: Record<AddressKind, { option: string; text: string }> = {
  return_url: { option: '--url', text: 'return URL' },
  origin: { option: '--origin', text: 'origin' },
};

/**
 * Returns the address in the form in which it is stored. Throws Error for an invalid address. Accepts local addresses too, because the
 * command does not know the environment of the service. In production, hosted pages use no local address.
 */
function readAddress(kind: AddressKind, text: string): string {
  const parsed = kind === 'origin' ? parseOrigin(text, false) : parseReturnUrlPrefix(text, false);
  if ('issue' in parsed) throw new Error(`${names[kind].option} ${parsed.issue}.`);
  return kind === 'origin' ? parsed.url.origin : parsed.url.href;
}

/** A command that adds an address of the client's own site. */
export function allowCommand(clientId: string, kind: AddressKind, text: string): Command {
  const address = readAddress(kind, text);
  return async (pool) => {
    const result = await addAddress(pool, clientId, kind, address);
    if (result === 'unknown') throw unknownClient(clientId);
    if (result === 'full')
      throw new Error(`${clientId} already has ${addressesPerKindMax} ${names[kind].text}s. Remove one first.`);
    return `${clientId} may use the ${names[kind].text} ${address}\n`;
  };
}

/** A command that removes an address of the client's own site. A page that is open now can use the address until its next request. */
export function disallowCommand(clientId: string, kind: AddressKind, text: string): Command {
  const address = readAddress(kind, text);
  return async (pool) => {
    if (!(await removeAddress(pool, clientId, kind, address)))
      throw new Error(`${clientId} has no ${names[kind].text} ${address}. npm run client -- list shows all.`);
    return `${clientId} may no longer use the ${names[kind].text} ${address}\n`;
  };
}

/** A command of `npm run client`. Returns its output. */
export type Command = (pool: Pool) => Promise<string>;

/** The error of a command whose client does not exist or was revoked. It says what to do. */
export const unknownClient = (clientId: string) =>
  new Error(`The client ${clientId} does not exist or is already revoked. npm run client -- list shows all clients.`);
