import v8 from 'node:v8';

/**
 * To be loaded before the worker (`node --require`), and so by the threads of its workflows as well. The SDK notes a stack
 * trace for each promise of a workflow, in case somebody asks a running workflow where it stands, and that takes more time
 * than all that our workflows do (decision 25). Nothing else of the SDK stands on this hook.
 */
v8.promiseHooks.createHook = () => () => {};
