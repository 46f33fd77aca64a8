import { flowLimits } from '../../domain/flows/flow-limits';
import { nameForms } from '../../domain/flows/name-forms';

/** Whether a flow can be called so. Anything else is not worth a question to the database, which takes not every text. */
export const isFlowName = (name: string): boolean => name.length <= flowLimits.name && nameForms.kebab.test(name);

/** Paths below /v1/flows that are not flows. */
export const takenNames: ReadonlySet<string> = new Set(['schema']);

/** Whose the entries on a flow are in the audit log. */
export const flowOwner = (name: string): string => `flow/${name}`;
