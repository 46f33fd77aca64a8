import { flowLimits } from '../../domain/flows/flow-limits';
import { namePatterns } from '../../domain/flows/name-patterns';

/** Whether a text is a valid flow name. Postgres cannot store every other text, so it must not reach the database. */
export const isFlowName = (name: string): boolean =>
  name.length <= flowLimits.nameCharacters && namePatterns.kebab.test(name);

/** Paths below /v1/flows that are no flows. */
export const reservedNames: ReadonlySet<string> = new Set(['schema']);

/** The owner of a flow's entries in the audit log. */
export const flowOwner = (name: string): string => `flow/${name}`;
