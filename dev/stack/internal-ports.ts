import { dataPaths, readJson, writeJson } from './data-folder';
import { findFreePort, isPortFree } from './free-port';
import type { InternalPorts } from './node-components';
import type { StackSettings } from './settings';

/** What this module reads and writes in `placesFile`, the file with the ports and folders that the stack has chosen. */
interface SavedPlaces {
  ports?: Partial<InternalPorts>;
}

/**
 * Chooses the internal ports. Later starts on the same data folder use the same ports again. If another program has taken one of these
 * ports, chooses a new port instead.
 */
export async function assignInternalPorts({ dataDir, ports }: StackSettings): Promise<InternalPorts> {
  const { placesFile } = dataPaths(dataDir);
  const savedPlaces = readJson(placesFile) as SavedPlaces | undefined;
  const reuseOrFindPort = async (port: number | undefined) =>
    port && (await isPortFree(port)) ? port : findFreePort();
  const internalPorts = {
    smtp: ports.smtp ?? (await reuseOrFindPort(savedPlaces?.ports?.smtp)),
    workerHealth: await reuseOrFindPort(savedPlaces?.ports?.workerHealth),
  };
  writeJson(placesFile, { ...savedPlaces, ports: internalPorts });
  return internalPorts;
}
