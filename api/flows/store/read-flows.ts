import type { FlowDefinition } from '../../../domain/flows/definition';
import { readAudit } from '../../../platform/audit';
import type { Pool } from '../../../platform/postgres';
import { flowOwner, isFlowName } from '../flow-name';
import type { Deleted, FlowSource, FlowStore, FlowSummary, FlowVersion } from './flow-store';
import { findActiveFlow } from '../../../store/flows/flow-activations.sql';
import {
  codeTenant,
  findEverVersion,
  findFlow,
  findFlows,
  findVersion,
  findVersions,
  type ListedRow,
  type ListedVersionRow,
  versionMost,
  type VersionRow,
} from '../../../store/flows/flow-versions.sql';

const sourceOf = ({ tenant }: { tenant: string }): FlowSource => (tenant === codeTenant ? 'code' : 'api');

export const versionOf = ({ version, digest, createdAt, createdBy }: VersionRow): FlowVersion => ({
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

const deletionOf = ({ deletedAt, deletedBy, running }: DeletionRow): Deleted => ({
  ...(deletedAt === null ? {} : { deletedAt: deletedAt.toISOString() }),
  ...(typeof deletedBy === 'string' ? { deletedBy } : {}),
  ...(typeof running === 'number' ? { running } : {}),
});

const listedOf = (row: ListedVersionRow) => ({ ...versionOf(row), ...titleOf(row), ...deletionOf(row) });

/** A team adds some versions a day, so no flow should have more. */
const auditEntriesMax = 1_000;

type Reads = Pick<FlowStore, 'list' | 'versions' | 'version' | 'ofRuns' | 'active' | 'audit'>;

/** The reads of a flow store. `code`: the flows of this process by name. */
export function readFlows(pool: Pool, code: ReadonlyMap<string, FlowDefinition>): Reads {
  const summaryOf = (row: ListedRow): FlowSummary & Deleted => {
    const { name, newest } = row;
    const source = sourceOf(row);
    // During a deployment, each process uses its own version of a code flow.
    const deployed = source === 'code' ? code.get(name) : undefined;
    const active = source === 'code' ? deployed?.version : (row.active ?? undefined);
    const about = titleOf(deployed ? { title: deployed.title ?? null } : row);
    return { name, ...about, source, ...(active === undefined ? {} : { active }), newest, ...deletionOf(row) };
  };
  return {
    async list(tenant, { after = '', ...page }) {
      return (await findFlows(pool, tenant, { after, ...page })).map(summaryOf);
    },
    async versions(tenant, name, page) {
      const flow = isFlowName(name) ? await findFlow(pool, { tenant, name }, page.deleted) : undefined;
      if (!flow) return undefined;
      const versions = await findVersions(pool, { tenant, name }, page);
      return { ...summaryOf(flow), versions: versions.map(listedOf) };
    },
    async version(tenant, name, version, { deleted = false } = {}) {
      const isVersion = Number.isSafeInteger(version) && version > 0 && version <= versionMost;
      if (!isFlowName(name) || !isVersion) return undefined;
      const key = { tenant, name };
      const row =
        (await findVersion(pool, key, version)) ?? (deleted ? await findEverVersion(pool, key, version) : undefined);
      if (!row) return undefined;
      const definition = { ...row.definition, version };
      return { ...versionOf(row), ...deletionOf(row), source: sourceOf(row), definition };
    },
    async ofRuns(tenant, name, version) {
      const row = await findEverVersion(pool, { tenant, name }, version);
      return row && { ...row.definition, version };
    },
    async active(tenant, name) {
      if (!isFlowName(name)) return undefined;
      const { own, active } = await findActiveFlow(pool, { tenant, name });
      return active ?? (own ? undefined : code.get(name));
    },
    async audit(tenant, name) {
      if (!isFlowName(name)) return undefined;
      for (const whose of [tenant, codeTenant]) {
        const entries = await readAudit(pool, { tenant: whose, owner: flowOwner(name) }, auditEntriesMax);
        if (entries.length > 0) return entries.map((entry) => ({ ...entry, at: entry.at.toISOString() }));
      }
      return undefined;
    },
  };
}
