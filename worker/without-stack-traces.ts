import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared';

/*
 * Stack traces of promises take an eighth of the worker's processor time: docs/decisions/0025. `node --require` loads this
 * into the thread of workflows too, which nothing else reaches before the SDK sets its hook.
 */
if (!('setPromiseHook' in globalHandlers))
  throw new Error('This version of the SDK has no setPromiseHook: see docs/decisions/0025.');

Object.assign(globalHandlers, { setPromiseHook: () => {} });
