import { DefaultLogger, Runtime } from '@temporalio/worker';

let installed = false;

/**
 * Keeps worker start and stop messages of the SDK out of the test output. Must be called before the first worker.
 */
export function quietRuntime(): void {
  if (!installed) Runtime.install({ logger: new DefaultLogger('ERROR') });
  installed = true;
}
