import { flowLimits } from '../../domain/flows/flow-limits';
import { namePatterns } from '../../domain/flows/name-patterns';

/** Whether a text is a valid flow name. Check it before a query: Postgres cannot store every text, such as one with NUL. */
export const isFlowName = (name: string): boolean =>
  name.length <= flowLimits.nameCharacters && namePatterns.kebab.test(name);

/** Names that no flow can have, because they are other paths below /v1/flows. */
export const reservedNames: ReadonlySet<string> = new Set(['schema', 'templates']);

/** The owner of a flow's entries in the audit log. */
export const flowOwner = (name: string): string => `flow/${name}`;
