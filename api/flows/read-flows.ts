import type { FlowDefinition } from '../../domain/flows/definition';
import { readAudit } from '../../platform/audit';
import type { Pool } from '../../platform/postgres';
import { flowOwner, isFlowName } from './flow-name';
import type { FlowSource, FlowStore, FlowSummary, FlowVersion } from './flow-store';
import {
  codeTenant,
  findActiveDefinition,
  findEverVersion,
  findFlow,
  findFlows,
  findVersion,
  findVersions,
  hasOwn,
  type ListedRow,
  versionMost,
  type VersionRow,
} from './flow-store.sql';

const sourceOf = ({ tenant }: { tenant: string }): FlowSource => (tenant === codeTenant ? 'code' : 'api');

export const versionOf = ({ version, digest, createdAt, createdBy }: VersionRow): FlowVersion => ({
  version,
  digest,
  createdAt: createdAt.toISOString(),
  createdBy,
});

/** More than one flow ever gathers: a team makes some versions a day. */
const auditEntriesMax = 1_000;

type Reads = Pick<FlowStore, 'list' | 'versions' | 'version' | 'ofRuns' | 'active' | 'audit'>;

/** What is read of a store. `code`: the flows of this process by name. */
export function readFlows(pool: Pool, code: ReadonlyMap<string, FlowDefinition>): Reads {
  const summaryOf = (row: ListedRow): FlowSummary => {
    const { name, title, newest } = row;
    const source = sourceOf(row);
    // While versions of the code are exchanged, each process goes by its own.
    const active = source === 'code' ? code.get(name)?.version : (row.active ?? undefined);
    return { name, ...(title === null ? {} : { title }), source, ...(active === undefined ? {} : { active }), newest };
  };
  return {
    async list(tenant, { limit, after = '' }) {
      return (await findFlows(pool, tenant, after, limit)).map(summaryOf);
    },
    async versions(tenant, name, page) {
      const flow = isFlowName(name) ? await findFlow(pool, { tenant, name }) : undefined;
      if (!flow) return undefined;
      const versions = await findVersions(pool, { tenant, name }, page);
      return { ...summaryOf(flow), versions: versions.map(versionOf) };
    },
    async version(tenant, name, version) {
      const isVersion = Number.isSafeInteger(version) && version > 0 && version <= versionMost;
      const row = isFlowName(name) && isVersion ? await findVersion(pool, { tenant, name }, version) : undefined;
      return row && { ...versionOf(row), source: sourceOf(row), definition: { ...row.definition, version } };
    },
    async ofRuns(tenant, name, version) {
      const definition = await findEverVersion(pool, { tenant, name }, version);
      return definition && { ...definition, version };
    },
    async active(tenant, name) {
      if (!isFlowName(name)) return undefined;
      const row = await findActiveDefinition(pool, { tenant, name });
      if (row) return { ...row.definition, version: row.version };
      const deployed = code.get(name);
      return deployed && !(await hasOwn(pool, { tenant, name })) ? deployed : undefined;
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
