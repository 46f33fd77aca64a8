import { DefaultLogger, Runtime } from '@temporalio/worker';

let installed = false;

/** Keeps the SDK's news of starting and stopping workers out of test output. Once per process, before the first worker. */
export function quietRuntime(): void {
  if (!installed) Runtime.install({ logger: new DefaultLogger('ERROR') });
  installed = true;
}
