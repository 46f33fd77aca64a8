import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared';

/*
 * Loaded before the worker by `node --require`, into each of its threads: workflows run in one that the SDK starts, which
 * takes over how Node was called and nothing else. See docs/decisions/0025.
 */

if (!('setPromiseHook' in globalHandlers))
  throw new Error('This version of the SDK has no setPromiseHook: see docs/decisions/0025.');

/** The SDK's hook on promises notes a stack trace for each of them. Left out, `__stack_trace` answers that they are not enabled. */
Object.assign(globalHandlers, { setPromiseHook: () => {} });
