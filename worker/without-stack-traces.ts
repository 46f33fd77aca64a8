import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared';

/*
 * Turns off the stack traces of promises in workflows. They take an eighth of the worker's CPU time: see docs/decisions/0025. This file must
 * run in the workflow thread before the SDK sets its promise hook. Only `node --require` loads the file early enough.
 */
if (!('setPromiseHook' in globalHandlers))
  throw new Error('This version of the SDK has no setPromiseHook. Start without this file: see docs/decisions/0025.');

Object.assign(globalHandlers, { setPromiseHook: () => {} });
