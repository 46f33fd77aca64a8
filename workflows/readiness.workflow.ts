/** Does nothing. If a worker that has just started completes this workflow, the worker can reach Temporal. */
export async function readiness(): Promise<void> {}
