import { dataFolder, readJson, writeJson } from './data-folder';
import { findFreePort, isFree } from './free-port';
import type { InnerPorts } from './node-parts';
import type { StackSettings } from './settings';

interface Places {
  ports?: Partial<InnerPorts>;
}

/** Links name the port of the intake, unless another address was given for them. */
function toldWhenMoved({ environment }: StackSettings, before: number | undefined, now: number): string | undefined {
  if (!before || before === now || environment['BIOMETRICS_URL'] || environment['PUBLIC_URL']) return undefined;
  return `Links of biometrics sent until now lead to port ${before} and are dead, now that the persons' page is at ${now}. Once that port is free, INTAKE_PORT=${before} npm start brings them back.`;
}

/**
 * Ports nobody types: the same at every start on this data folder, unless somebody took one meanwhile. `tell` gets a line
 * when links that were sent lead nowhere any more.
 */
export async function keepInnerPorts(settings: StackSettings, tell: (line: string) => void): Promise<InnerPorts> {
  const { dataDir, ports } = settings;
  const { placesFile } = dataFolder(dataDir);
  const places = readJson(placesFile) as Places | undefined;
  const keep = async (port: number | undefined) => (port && (await isFree(port)) ? port : findFreePort());
  const inner = {
    smtp: ports.smtp ?? (await keep(places?.ports?.smtp)),
    workerHealth: await keep(places?.ports?.workerHealth),
    intake: ports.intake ?? (await keep(places?.ports?.intake)),
  };
  const moved = toldWhenMoved(settings, places?.ports?.intake, inner.intake);
  if (moved) tell(moved);
  writeJson(placesFile, { ...places, ports: inner });
  return inner;
}
