import { dataFolder, readJson, writeJson } from './data-folder';
import { findFreePort, isFree } from './free-port';
import type { InternalPorts } from './node-parts';
import type { StackSettings } from './settings';

interface Places {
  ports?: Partial<InternalPorts>;
}

/** Ports that no user types. They stay the same for a data folder, unless another program takes one. */
export async function assignInternalPorts({ dataDir, ports }: StackSettings): Promise<InternalPorts> {
  const { placesFile } = dataFolder(dataDir);
  const places = readJson(placesFile) as Places | undefined;
  const keep = async (port: number | undefined) => (port && (await isFree(port)) ? port : findFreePort());
  const inner = {
    smtp: ports.smtp ?? (await keep(places?.ports?.smtp)),
    workerHealth: await keep(places?.ports?.workerHealth),
  };
  writeJson(placesFile, { ...places, ports: inner });
  return inner;
}
