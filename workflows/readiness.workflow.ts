/** Ends with its first workflow task. A worker runs it at its start, to know that it and Temporal work together. */
export async function readiness(): Promise<void> {
  // One completed workflow task is all that it is for.
}
