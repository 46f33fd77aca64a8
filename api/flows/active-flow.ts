import type { FlowDefinition } from '../../domain/flows/definition';
import { Problem } from '../http/problem';
import type { FlowStore } from './store/flow-store';

/** What new runs of a name begin with. Throws flow_not_active where the tenant has such a flow, flow_not_found otherwise. */
export async function activeFlow(store: FlowStore, tenant: string, name: string): Promise<FlowDefinition> {
  const flow = await store.active(tenant, name);
  if (flow) return flow;
  // One of the code that this process does not have is not for the tenant to activate.
  const known = await store.versions(tenant, name, { limit: 1 });
  if (known?.source === 'api') throw new Problem('flow_not_active');
  throw new Problem('flow_not_found');
}
