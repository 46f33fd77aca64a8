import { seenWithinSeconds } from '../../platform/postgres/notifications';
import { makeSecret } from './clients';
import { addSecret, listSecrets, removeSecret } from './clients.sql';
import { type Command, unknownClient } from './command';

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
