import type { FlowDefinition } from '../../domain/flows/definition';
import { Problem } from '../http/problem';
import type { FlowStore } from './store/flow-store';

/** Returns the version of a flow that new flow runs use. Throws flow_not_found, or flow_not_active if no version is active. */
export async function requireActiveFlow(store: FlowStore, tenant: string, name: string): Promise<FlowDefinition> {
  const flow = await store.findActive(tenant, name);
  if (flow) return flow;
  // If `source` is `code`, the flow is a built-in flow of another version of the service. Tenants cannot activate built-in flows, so the
  // problem is flow_not_found and not flow_not_active.
  const summary = await store.listVersions(tenant, name, { limit: 1 });
  if (summary?.source === 'api') throw new Problem('flow_not_active');
  throw new Problem('flow_not_found');
}
