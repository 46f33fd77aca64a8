import { type FlowDefinition, FlowError } from '../../../domain/flows/definition';
import { inTransaction, type Pool } from '../../../platform/postgres/postgres';
import { changeFlows } from './change-flows';
import type { FlowStore } from './flow-store';
import { readFlows } from './read-flows';
import { addAuditEntry } from '../../../platform/audit';
import { addBuiltInVersion, builtInTenant } from '../../../store/flows/flow-versions.sql';
import { digestOf } from '../../http/body/read-json';
import { flowOwner } from '../flow-body';

/** Creates the flow store of a database. `builtInFlows`: the flows of this process, which registerBuiltInFlows has saved. */
export function createFlowStore(pool: Pool, builtInFlows: readonly FlowDefinition[]): FlowStore {
  const byName: ReadonlyMap<string, FlowDefinition> = new Map(builtInFlows.map((flow) => [flow.name, flow]));
  return { ...readFlows(pool, byName), ...changeFlows(pool, byName) };
}

/** The actor in the audit log who adds the built-in flows. */
const actor = 'deployment';

/**
 * Saves the built-in flows, so that the service can show every version that ever ran. Several processes may call this at the same time. If
 * the definition of a version differs from the saved one, saves nothing and throws FlowError.
 */
export async function registerBuiltInFlows(pool: Pool, flows: readonly FlowDefinition[]): Promise<void> {
  await inTransaction(pool, async (client) => {
    const errors: string[] = [];
    // The flows are sorted, so that two processes that start at the same time do not deadlock.
    for (const flow of flows.toSorted((left, right) => (left.name < right.name ? -1 : 1))) {
      const { version, ...definition } = flow;
      const digest = digestOf(definition);
      const result = await addBuiltInVersion(client, flow, { digest, by: actor });
      if (result === 'changed')
        errors.push(`${flow.name}: version ${version} was saved with another definition. Increase its version.`);
      if (result !== 'added') continue;
      const [owner, action, detail] = [flowOwner(flow.name), 'flow_version_added', { version, digest }];
      await addAuditEntry(client, { tenant: builtInTenant, owner, actor, action, detail });
    }
    if (errors.length > 0) throw new FlowError(errors.join('\n'));
  });
}
