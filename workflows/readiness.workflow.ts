/** Completes with its first workflow task, which proves that a worker that has just started can reach Temporal. */
export async function readiness(): Promise<void> {}
