import type { Replayable } from './catalog/flow-store';
import { Problem } from '../http/problem';
import type { Call, HandlerResponse } from '../http/route';
import { z } from 'zod';
import { named, utcTime } from '../http/openapi/schema-of';
import { flowFile } from './checks/flow-schema';

export const requestedFlowName = ({ request }: Pick<Call, 'request'>) => String(request.params['name']);

export const parseVersion = (given: string): number | undefined =>
  /^[1-9]\d{0,8}$/.test(given) ? Number(given) : undefined;

/** The number of the version in the path. Throws flow_version_not_found if it is not a valid number. */
export function requestedVersion({ request }: Call): number {
  const version = parseVersion(String(request.params['version']));
  if (version === undefined) throw new Problem('flow_version_not_found');
  return version;
}

/**
 * Creates the response to a change of a flow. If the result is that of an earlier request with the same Idempotency-Key, sets the header
 * Idempotency-Replayed.
 */
export function changeResponse<Result extends object>(
  status: number,
  name: string,
  { replayed, ...result }: Replayable<Result>,
): HandlerResponse {
  const headers = replayed ? { headers: { 'Idempotency-Replayed': 'true' } } : {};
  return { status, ...headers, body: { name, ...result } };
}

export const flowPath = '/v1/flows/{name}';

export const versionPath = `${flowPath}/versions/{version}`;

export const positiveInt = z.int().min(1);

/** The fields that only a deleted flow or version has. */
export const deletion = {
  deletedAt: utcTime.optional().describe('When the flow or version was deleted. Only with deleted=true'),
  running: z.int().optional().describe('Only for a deleted flow or version: how many of its flow runs still continue'),
};

export const deletedBy = z.string().optional().describe('The client that deleted the version. Only with deleted=true');

export const version = { version: positiveInt, digest: z.string(), createdAt: utcTime, createdBy: z.string() };

export const source = named(
  'FlowSource',
  z.enum(['code', 'api']).describe('`code`: built into the service; `api`: created by this tenant'),
);

export const at = '2026-01-31T12:00:00.000Z';

export const versionExample = {
  version: 1,
  digest: '7d865e959b2466918c9863afca942d0fb89d7c9ac0c99bafc3749504ded97730',
  createdAt: at,
  createdBy: 'acme',
};

export const flowVersion = named(
  'FlowVersion',
  z.strictObject({ ...version, title: z.string().optional(), ...deletion, deletedBy }),
  versionExample,
);

export const issue = named(
  'LocatedFlowIssue',
  z.strictObject({
    code: z.string(),
    path: z.string().describe('Where in the flow, such as steps.code.exits.Valid; empty for the whole flow'),
    message: z.string(),
    fix: z.string(),
    line: positiveInt.describe('Where the issue begins in the text. Lines and columns start at 1'),
    column: positiveInt,
    endLine: positiveInt,
    endColumn: positiveInt.describe('The column after the last character'),
  }),
);

export const flow = named('Flow', flowFile.describe('A flow without its version, which the service assigns'));
