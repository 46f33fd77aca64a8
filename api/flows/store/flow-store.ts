import type { FlowDefinition } from '../../../domain/flows/definition';
import type { AuditEntry } from '../../../platform/audit';
import type { Unversioned } from '../../../store/flows/flow-versions.sql';

/** Where a flow comes from: deployed with the service for every tenant, or a tenant's own. */
export type FlowSource = 'code' | 'api';

/** A version that is there. Times are ISO instants. */
export interface FlowVersion {
  version: number;
  digest: string;
  createdAt: string;
  createdBy: string;
}

/** What is told beside a deleted version, or a flow of which all are, where deleted ones are asked for. */
export interface Deleted {
  deletedAt?: string;
  /** Of a version: the client that deleted it. */
  deletedBy?: string;
  /** Runs that still go on. */
  running?: number;
}

export interface FlowSummary {
  name: string;
  /** Of the active version, or of the newest if none is active. */
  title?: string;
  source: FlowSource;
  /** The version of new runs; absent until one is activated. */
  active?: number;
  newest: number;
}

/** `deleted`: also what is deleted and has runs that go on, or that began in the last seven days. */
interface Page {
  limit: number;
  deleted?: boolean;
}

export interface FlowActivation {
  version: number;
  activatedAt: string;
  activatedBy: string;
  /** What was active until then, where something was. */
  previous?: number;
}

export interface FlowRemoval {
  version: number;
  deletedAt: string;
  deletedBy: string;
}

/** Whether it is the answer to an earlier request with the same Idempotency-Key. */
export type Once<Result> = Result & { replayed: boolean };

export type FlowAudit = Required<Pick<AuditEntry, 'actor' | 'action' | 'detail'>> & { at: string };

/**
 * Flows by tenant, name and version. A version never changes and its number is never given again. A tenant sees its own
 * flows and those of the code. What changes a flow is done one after the other and stands in the audit log; `by` is the
 * client that asks. With an Idempotency-Key, a repeat within 24 hours gets the first answer (idempotency_conflict for
 * another request). Changes throw the problems flow_reserved (the name is one of the code's) and flow_not_found.
 */
export interface FlowStore {
  /** Adds the next version, unless the newest is the same: that is given then, and `created` is false. */
  put(
    tenant: string,
    definition: Unversioned,
    by: string,
    key?: string,
  ): Promise<Once<FlowVersion & { created: boolean }>>;
  /** By name, those after `after`. */
  list(tenant: string, page: Page & { after?: string }): Promise<(FlowSummary & Deleted)[]>;
  /** A flow with its versions, the newest first, from `most` downwards; undefined when there is none. */
  versions(
    tenant: string,
    name: string,
    page: Page & { most?: number },
  ): Promise<(FlowSummary & Deleted & { versions: (FlowVersion & Deleted & { title?: string })[] }) | undefined>;
  /** Undefined when there is none, or it was deleted and not `deleted` is asked for. */
  version(
    tenant: string,
    name: string,
    version: number,
    options?: { deleted?: boolean },
  ): Promise<
    | (FlowVersion & Pick<Deleted, 'deletedAt' | 'deletedBy'> & { source: FlowSource; definition: FlowDefinition })
    | undefined
  >;
  /** The definition that runs of a version go by, also when it was deleted since. */
  ofRuns(tenant: string, name: string, version: number): Promise<FlowDefinition | undefined>;
  /** What new runs begin with; undefined when there is none. */
  active(tenant: string, name: string): Promise<FlowDefinition | undefined>;
  /** Makes a version active; nothing changes when it is. Throws flow_version_not_found. */
  activate(tenant: string, name: string, version: number, by: string, key?: string): Promise<Once<FlowActivation>>;
  /** Makes active what was before, and once more what was before that. Throws flow_no_earlier_version. */
  rollback(tenant: string, name: string, by: string, key?: string): Promise<Once<FlowActivation>>;
  /** Deletes a version that is not active, or the last of all. Throws flow_version_active and flow_version_not_found. */
  remove(tenant: string, name: string, version: number, by: string, key?: string): Promise<Once<FlowRemoval>>;
  /** Who changed the flow, the newest first; undefined when nobody ever did. Versions that are deleted stay in it. */
  audit(tenant: string, name: string): Promise<FlowAudit[] | undefined>;
}
