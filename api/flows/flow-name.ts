/** Kebab-case: a name stands in paths, in search attributes and in diagrams. */
const pattern = /^(?=.{1,60}$)[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/** Whether a flow can be called so. Anything else is not worth a question to the database, which takes not every text. */
export const isFlowName = (name: string): boolean => pattern.test(name);

/** Paths below /v1/flows that are not flows. */
export const takenNames: ReadonlySet<string> = new Set(['schema']);

/** Whose the entries on a flow are in the audit log. */
export const flowOwner = (name: string): string => `flow/${name}`;
