import { dataFolder, readJson, writeJson } from './data-folder';
import { findFreePort, isFree } from './free-port';
import type { InternalPorts } from './node-components';
import type { StackSettings } from './settings';

interface Places {
  ports?: Partial<InternalPorts>;
}

/** Ports that no user types. They stay the same for a data folder, unless another program takes one. */
export async function assignInternalPorts({ dataDir, ports }: StackSettings): Promise<InternalPorts> {
  const { placesFile } = dataFolder(dataDir);
  const places = readJson(placesFile) as Places | undefined;
  const reuse = async (port: number | undefined) => (port && (await isFree(port)) ? port : findFreePort());
  const internalPorts = {
    smtp: ports.smtp ?? (await reuse(places?.ports?.smtp)),
    workerHealth: await reuse(places?.ports?.workerHealth),
  };
  writeJson(placesFile, { ...places, ports: internalPorts });
  return internalPorts;
}
