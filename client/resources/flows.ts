import type { Flow } from '../generated/schemas.ts';
import type { CallOptions, QueryOf } from '../operation.ts';
import type { Transport } from '../transport.ts';

/** Flows: the steps that your team defines. Each definition is a version, which never changes. */
export class Flows {
  constructor(private readonly transport: Transport) {}

  list(query: QueryOf<'listFlows'> = {}, options?: CallOptions) {
    return this.transport.list('listFlows', 'flows', { query }, options);
  }

  /** The JSON schema of definitions. */
  schema(options?: CallOptions) {
    return this.transport.call('getFlowSchema', {}, options);
  }

  /** The message templates that flows can use, with their texts. */
  listTemplates(options?: CallOptions) {
    return this.transport.call('listFlowTemplates', {}, options);
  }

  /** Checks a flow without saving it. `text`: the flow as JSON. If the JSON is invalid, the answer has an issue. */
  check(name: string, text: string, options?: CallOptions) {
    return this.transport.call('checkFlow', { path: { name }, body: { text } }, options);
  }

  /** Saves a definition as a new version. New flow runs use this version after you activate it. */
  put(name: string, body: Flow, options?: CallOptions) {
    return this.transport.call('putFlow', { path: { name }, body }, options);
  }

  /** A flow, with the first page of its versions, newest first. */
  retrieve(name: string, query: QueryOf<'getFlow'> = {}, options?: CallOptions) {
    return this.transport.call('getFlow', { path: { name }, query }, options);
  }

  /** All versions, newest first. */
  listVersions(name: string, query: QueryOf<'getFlow'> = {}, options?: CallOptions) {
    return this.transport.list('getFlow', 'versions', { path: { name }, query }, options);
  }

  retrieveVersion(name: string, version: number, query: QueryOf<'getFlowVersion'> = {}, options?: CallOptions) {
    return this.transport.call('getFlowVersion', { path: { name, version: String(version) }, query }, options);
  }

  deleteVersion(name: string, version: number, options?: CallOptions) {
    return this.transport.call('deleteFlowVersion', { path: { name, version: String(version) } }, options);
  }

  /** A diagram of the steps as SVG. The parameter `counts` of `query` adds to each step the number of its flow runs. */
  diagram(name: string, version: number, query: QueryOf<'getFlowVersionDiagram'> = {}, options?: CallOptions) {
    return this.transport.call('getFlowVersionDiagram', { path: { name, version: String(version) }, query }, options);
  }

  /** How many flow runs of the last `days` days entered each step, how many are at each step now, and how many ended with each outcome. */
  counts(name: string, version: number, query: QueryOf<'getFlowVersionCounts'> = {}, options?: CallOptions) {
    return this.transport.call('getFlowVersionCounts', { path: { name, version: String(version) }, query }, options);
  }

  listRuns(name: string, version: number, query: QueryOf<'listFlowVersionRuns'> = {}, options?: CallOptions) {
    return this.transport.call('listFlowVersionRuns', { path: { name, version: String(version) }, query }, options);
  }

  /**
   * Activates a version: new flow runs use it. `active`: the version that you expect to be active before the call, or null for none. If
   * another version is active, nothing changes, and the call throws `flow_activation_changed`.
   */
  activate(name: string, version: number, active?: number | null, options?: CallOptions) {
    const body = active === undefined ? { version } : { version, active };
    return this.transport.call('activateFlow', { path: { name }, body }, options);
  }

  /**
   * Activates the version that was active before the current version. `version`: the version that you expect to be active after the call.
   * If the rollback would activate another version, nothing changes, and the call throws `flow_activation_changed`.
   */
  rollBack(name: string, version?: number, options?: CallOptions) {
    const body = version === undefined ? {} : { version };
    return this.transport.call('rollBackFlow', { path: { name }, body }, options);
  }

  /** Who changed the flow. */
  listAudit(name: string, options?: CallOptions) {
    return this.transport.call('listFlowAudit', { path: { name } }, options);
  }
}
