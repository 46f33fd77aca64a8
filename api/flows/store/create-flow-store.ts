import type { FlowDefinition } from '../../../domain/flows/definition';
import type { Pool } from '../../../platform/postgres/postgres';
import { changeFlows } from './change-flows';
import type { FlowStore } from './flow-store';
import { readFlows } from './read-flows';

/** Creates the flow store of a database. `builtInFlows`: the flows of this process, which registerBuiltInFlows has saved. */
export function createFlowStore(pool: Pool, builtInFlows: readonly FlowDefinition[]): FlowStore {
  const byName: ReadonlyMap<string, FlowDefinition> = new Map(builtInFlows.map((flow) => [flow.name, flow]));
  return { ...readFlows(pool, byName), ...changeFlows(pool, byName) };
}
