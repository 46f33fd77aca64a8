import type { FlowDefinition } from '../../../domain/flows/definition';
import type { AuditEntry } from '../../../platform/audit';
import type { UnversionedFlow } from '../../../store/flows/flow-versions.sql';

/** Where a flow comes from. `code`: it is built into the service, for every tenant. `api`: a tenant created it. */
export type FlowSource = 'code' | 'api';

/** A flow version without its definition. Times are in ISO 8601. */
export interface FlowVersion {
  version: number;
  /** SHA-256 of the definition. */
  digest: string;
  createdAt: string;
  createdBy: string;
}

/** The deletion of a version, or of a flow whose versions are all deleted. */
export interface Deletion {
  deletedAt?: string;
  /** The client that deleted a version. Absent for a flow. */
  deletedBy?: string;
  /** How many flow runs still continue. Present only after a deletion. */
  running?: number;
}

/** A flow as an item of a list. */
export interface FlowSummary {
  name: string;
  /** The title of the active version, or of the newest version if no version is active. */
  title?: string;
  source: FlowSource;
  /** The version that new flow runs use. Absent until a version is activated. */
  active?: number;
  newest: number;
}

/**
 * A page of a list. `deleted`: also lists a deleted flow or version, if one of its flow runs continues or has started in the last seven
 * days.
 */
interface Page {
  limit: number;
  deleted?: boolean;
}

/** The activation of a flow version. `activatedBy`: the client. */
export interface FlowActivation {
  version: number;
  activatedAt: string;
  activatedBy: string;
  /** The version that was active before. */
  previous?: number;
}

/** The deletion of a flow version. `deletedBy`: the client. */
export interface FlowVersionDeletion {
  version: number;
  deletedAt: string;
  deletedBy: string;
}

/** What must be true when a version is added. `digest`: the newest version has this digest. `none`: the flow has no version yet. */
export type ExpectedNewest = { digest: string } | 'none';

/** The result of a change. `replayed`: whether it is the result of an earlier request with the same Idempotency-Key. */
export type Replayable<Result> = Result & { replayed: boolean };

/** An entry of the audit log about a flow. `at`: ISO 8601. */
export type FlowAuditEntry = Required<Pick<AuditEntry, 'actor' | 'action' | 'detail'>> & { at: string };

/**
 * Flows by tenant, name and version. A version never changes, and its number is never used again. A tenant sees its own flows and the
 * built-in flows. The store makes one change of a flow at a time, and writes it into the audit log with `clientId`. `key` is the
 * Idempotency-Key: a retry within 24 hours gets the first result. All changes can throw idempotency_conflict, flow_reserved and
 * flow_not_found.
 */
export interface FlowStore {
  /**
   * Adds the next version. If the newest version has the same definition, returns it with `created: false`. Throws flow_changed if the
   * newest version is not as in `expected`.
   */
  put(
    tenant: string,
    definition: UnversionedFlow,
    clientId: string,
    options?: { key?: string | undefined; expected?: ExpectedNewest | undefined },
  ): Promise<Replayable<FlowVersion & { created: boolean }>>;
  /** Lists flows sorted by name, starting after the name `after`. */
  list(tenant: string, page: Page & { after?: string }): Promise<(FlowSummary & Deletion)[]>;
  /** Returns a flow with its versions up to `highestVersion`, newest first. Undefined if the flow does not exist. */
  listVersions(
    tenant: string,
    name: string,
    page: Page & { highestVersion?: number },
  ): Promise<(FlowSummary & Deletion & { versions: (FlowVersion & Deletion & { title?: string })[] }) | undefined>;
  /** Returns a version. Returns a deleted version only with `deleted`. Undefined if there is no such version. */
  findVersion(
    tenant: string,
    name: string,
    version: number,
    options?: { deleted?: boolean },
  ): Promise<
    | (FlowVersion & Pick<Deletion, 'deletedAt' | 'deletedBy'> & { source: FlowSource; definition: FlowDefinition })
    | undefined
  >;
  /** Returns the definition of a version, even if the version is deleted, because its flow runs still use it. */
  findDefinition(tenant: string, name: string, version: number): Promise<FlowDefinition | undefined>;
  /** Returns the version that new flow runs use. Undefined if the flow does not exist or no version is active. */
  findActive(tenant: string, name: string): Promise<FlowDefinition | undefined>;
  /**
   * Activates a version. Does nothing if the version is already active. Throws flow_version_not_found. Throws flow_activation_changed if
   * the active version is not `expected`. An `expected` of null means that no version is active.
   */
  activate(
    tenant: string,
    name: string,
    version: number,
    clientId: string,
    options?: { key?: string | undefined; expected?: number | null | undefined },
  ): Promise<Replayable<FlowActivation>>;
  /** Returns the version that a rollback would activate. Undefined if there is none. */
  findRollbackVersion(tenant: string, name: string): Promise<number | undefined>;
  /**
   * Activates the version that was active before. Each repeated call goes one version further back. Throws flow_no_earlier_version. Throws
   * flow_activation_changed if the rollback would activate a version other than `expected`.
   */
  rollback(
    tenant: string,
    name: string,
    clientId: string,
    options?: { key?: string | undefined; expected?: number | undefined },
  ): Promise<Replayable<FlowActivation>>;
  /** Deletes a version that is not active, or the only version of a flow. Throws flow_version_active and flow_version_not_found. */
  deleteVersion(
    tenant: string,
    name: string,
    version: number,
    clientId: string,
    key?: string,
  ): Promise<Replayable<FlowVersionDeletion>>;
  /** Returns the audit log of a flow, newest first. It also has the entries of deleted versions. Undefined if it has no entries. */
  readAudit(tenant: string, name: string): Promise<FlowAuditEntry[] | undefined>;
}
