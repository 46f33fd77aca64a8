import { DefaultLogger, Runtime } from '@temporalio/worker';

let installed = false;

/** Keeps messages about the start and stop of workers out of the test output. Must be called before the first worker is created. */
export function quietRuntime(): void {
  if (!installed) Runtime.install({ logger: new DefaultLogger('ERROR') });
  installed = true;
}
