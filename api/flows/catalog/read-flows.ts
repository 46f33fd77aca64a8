import type { FlowDefinition } from '../../../domain/flows/definition';
import { readAuditEntries } from '../../../platform/audit';
import type { Pool } from '../../../platform/postgres/postgres';
import { flowOwner, isFlowName } from '../flow-body';
import type { Deletion, FlowSource, FlowStore, FlowSummary, FlowVersion } from './flow-store';
import { findActivation, findActiveFlow, findRollbackTarget } from '../../../store/flows/flow-activations.sql';
import {
  builtInTenant,
  findAnyVersion,
  findFlow,
  findFlows,
  findVersion,
  findVersions,
  type FlowSummaryRow,
  versionMax,
  type VersionRow,
  type VersionSummaryRow,
} from '../../../store/flows/flow-versions.sql';

const sourceOf = ({ tenant }: { tenant: string }): FlowSource => (tenant === builtInTenant ? 'code' : 'api');

export const flowVersionOf = ({ version, digest, createdAt, createdBy }: VersionRow): FlowVersion => ({
  version,
  digest,
  createdAt: createdAt.toISOString(),
  createdBy,
});

const titleOf = ({ title }: { title: string | null }) => (title === null ? {} : { title });

interface DeletionRow {
  deletedAt: Date | null;
  deletedBy?: string | null;
  running?: number | null;
}

const deletionOf = ({ deletedAt, deletedBy, running }: DeletionRow): Deletion => ({
  ...(deletedAt === null ? {} : { deletedAt: deletedAt.toISOString() }),
  ...(typeof deletedBy === 'string' ? { deletedBy } : {}),
  ...(typeof running === 'number' ? { running } : {}),
});

const listedVersionOf = (row: VersionSummaryRow) => ({ ...flowVersionOf(row), ...titleOf(row), ...deletionOf(row) });

/** Maximum number of returned audit entries. A team adds a few versions a day, so no flow should have more entries. */
const auditEntriesMax = 1_000;

type FlowReads = Pick<
  FlowStore,
  'list' | 'listVersions' | 'findVersion' | 'findDefinition' | 'findActive' | 'findRollbackVersion' | 'readAudit'
>;

/** Creates the methods of a flow store that read flows. `builtInFlows`: the built-in flows of this process by name. */
export function readFlows(pool: Pool, builtInFlows: ReadonlyMap<string, FlowDefinition>): FlowReads {
  const summaryOf = (row: FlowSummaryRow): FlowSummary & Deletion => {
    const { name, newest } = row;
    const source = sourceOf(row);
    // During a deployment, each process uses its own version of a built-in flow.
    const builtInFlow = source === 'code' ? builtInFlows.get(name) : undefined;
    const active = source === 'code' ? builtInFlow?.version : (row.active ?? undefined);
    const titleField = titleOf(builtInFlow ? { title: builtInFlow.title ?? null } : row);
    return { name, ...titleField, source, ...(active === undefined ? {} : { active }), newest, ...deletionOf(row) };
  };
  return {
    async list(tenant, { after = '', ...page }) {
      return (await findFlows(pool, tenant, { after, ...page })).map(summaryOf);
    },
    async listVersions(tenant, name, page) {
      const flow = isFlowName(name) ? await findFlow(pool, { tenant, name }, page.deleted) : undefined;
      if (!flow) return undefined;
      const versions = await findVersions(pool, { tenant, name }, page);
      return { ...summaryOf(flow), versions: versions.map(listedVersionOf) };
    },
    async findVersion(tenant, name, version, { deleted = false } = {}) {
      const isVersion = Number.isSafeInteger(version) && version > 0 && version <= versionMax;
      if (!isFlowName(name) || !isVersion) return undefined;
      const key = { tenant, name };
      const row =
        (await findVersion(pool, key, version)) ?? (deleted ? await findAnyVersion(pool, key, version) : undefined);
      if (!row) return undefined;
      const definition = { ...row.definition, version };
      return { ...flowVersionOf(row), ...deletionOf(row), source: sourceOf(row), definition };
    },
    async findDefinition(tenant, name, version) {
      const row = await findAnyVersion(pool, { tenant, name }, version);
      return row && { ...row.definition, version };
    },
    async findActive(tenant, name) {
      if (!isFlowName(name)) return undefined;
      const { hasOwnFlow, active } = await findActiveFlow(pool, { tenant, name });
      return active ?? (hasOwnFlow ? undefined : builtInFlows.get(name));
    },
    async findRollbackVersion(tenant, name) {
      const active = isFlowName(name) ? await findActivation(pool, { tenant, name }) : undefined;
      return active && (await findRollbackTarget(pool, { tenant, name }, active.id))?.version;
    },
    async readAudit(tenant, name) {
      if (!isFlowName(name)) return undefined;
      for (const auditTenant of [tenant, builtInTenant]) {
        const entries = await readAuditEntries(pool, { tenant: auditTenant, owner: flowOwner(name) }, auditEntriesMax);
        if (entries.length > 0) return entries.map((entry) => ({ ...entry, at: entry.at.toISOString() }));
      }
      return undefined;
    },
  };
}
