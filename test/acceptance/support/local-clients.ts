import { dataPaths, readJson } from '../../../dev/stack/data-folder';
import type { LocalSecrets } from '../../../dev/stack/local-secrets';
import type { Stack } from '../../../dev/stack/stack';

type LocalClient = LocalSecrets['clients'][number];

/** The first client belongs to the tenant `local`. Throws if there is no client. */
export function readLocalClients({ dataDir }: Pick<Stack, 'dataDir'>): [LocalClient, ...LocalClient[]] {
  const { clients } = readJson(dataPaths(dataDir).secretsFile) as LocalSecrets;
  const [first, ...others] = clients;
  if (!first) throw new Error('The local stack has no client.');
  return [first, ...others];
}
