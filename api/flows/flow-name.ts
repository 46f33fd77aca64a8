import { flowLimits } from '../../domain/flows/bounds';
import { namePatterns } from '../../domain/flows/definition';

/** Whether a text is a valid flow name. Check this before a query: Postgres rejects some texts, such as a text with the character NUL. */
export const isFlowName = (name: string): boolean =>
  name.length <= flowLimits.nameCharacters && namePatterns.kebab.test(name);

/** Names that no flow can have, because the API uses them for other paths below /v1/flows. */
export const reservedNames: ReadonlySet<string> = new Set(['schema', 'templates']);

/** The `owner` in the audit log for all entries about a flow. */
export const flowOwner = (name: string): string => `flow/${name}`;
