import { isFlowName } from './flow-name';
import { orBusy, textLimitsOf } from './compute/flow-compute';
import { flowJsonSchema } from './checks/flow-schema';
import type { Replayable } from './store/flow-store';
import { flowInvalidProblem } from './read-put-body';
import { cursorOf } from '../http/cursors';
import { pageQuery, parseQuery, queryDeleted } from '../http/page-query';
import { Problem } from '../http/problem';
import type { HandlerResponse, Call, Handler } from '../http/route';
import type { ActivationBody, FlowBody, RollbackBody } from './flow-body';
import { readExpectedNewest } from './expected-newest';

export const requestedFlowName = ({ request }: Pick<Call, 'request'>) => String(request.params['name']);

const parseVersion = (given: string): number | undefined => (/^[1-9]\d{0,8}$/.test(given) ? Number(given) : undefined);

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
function changeResponse<Result extends object>(
  status: number,
  name: string,
  { replayed, ...result }: Replayable<Result>,
): HandlerResponse {
  const headers = replayed ? { headers: { 'Idempotency-Replayed': 'true' } } : {};
  return { status, ...headers, body: { name, ...result } };
}

/** PUT /v1/flows/{name}: adds a version. If the newest version has the same definition, returns the newest version instead. */
export const putFlow: Handler<FlowBody> = async (call) => {
  const { dependencies, tenant, clientId, body, idempotencyKey } = call;
  const name = requestedFlowName(call);
  const input = { name, body, ...textLimitsOf(dependencies, tenant) };
  const result = await orBusy(dependencies.flowCompute.run(tenant, 'readBody', input));
  if ('issues' in result) throw flowInvalidProblem(result.issues);
  const { version: _, ...definition } = result.flow;
  const { created, ...addedVersion } = await dependencies.flowStore.put(tenant, definition, clientId, {
    key: idempotencyKey,
    expected: readExpectedNewest(call.request),
  });
  const response = changeResponse(created ? 201 : 200, name, addedVersion);
  return {
    ...response,
    headers: { ...response.headers, Location: `/v1/flows/${name}/versions/${addedVersion.version}` },
  };
};

/** GET /v1/flows: all flows, sorted by name. */
export const listFlows: Handler = async ({ dependencies, tenant, request }) => {
  const { limit, after, deleted } = parseQuery(request.url, {
    ...pageQuery(cursorOf(isFlowName)),
    deleted: queryDeleted,
  });
  const page = { limit: limit + 1, deleted, ...(after === undefined ? {} : { after }) };
  // Reads one flow more than requested, to know whether there is a next page.
  const foundFlows = await dependencies.flowStore.list(tenant, page);
  const flows = foundFlows.slice(0, limit);
  const next = foundFlows.length > limit ? { next: flows.at(-1)?.name } : {};
  return { status: 200, body: { flows, ...next } };
};

/** GET /v1/flows/{name}: a flow with its versions, newest first. */
export const readFlowVersions: Handler = async (call) => {
  const { limit, after, deleted } = parseQuery(call.request.url, {
    ...pageQuery(cursorOf((text) => parseVersion(text) !== undefined)),
    deleted: queryDeleted,
  });
  const page = { limit: limit + 1, deleted, ...(after === undefined ? {} : { highestVersion: Number(after) - 1 }) };
  const name = requestedFlowName(call);
  const { flowStore } = call.dependencies;
  const flow = await flowStore.listVersions(call.tenant, name, page);
  if (!flow) throw new Problem('flow_not_found');
  const rollbackVersion = await flowStore.findRollbackVersion(call.tenant, name);
  const rollbackTo = rollbackVersion === undefined ? {} : { rollbackTo: rollbackVersion };
  const versions = flow.versions.slice(0, limit);
  const next = flow.versions.length > limit ? { next: String(versions.at(-1)?.version) } : {};
  return { status: 200, body: { ...flow, ...rollbackTo, versions, ...next } };
};

/** GET /v1/flows/{name}/versions/{version}: a flow version with its definition. */
export const readFlowVersion: Handler = async (call) => {
  const [name, version] = [requestedFlowName(call), requestedVersion(call)];
  const options = parseQuery(call.request.url, { deleted: queryDeleted });
  const flowVersion = await call.dependencies.flowStore.findVersion(call.tenant, name, version, options);
  if (!flowVersion) throw new Problem('flow_version_not_found');
  const { definition, ...fields } = flowVersion;
  const { version: _, ...unversioned } = definition;
  return { status: 200, body: { name, ...fields, definition: unversioned } };
};

/** POST /v1/flows/{name}/activate: activates a version. New flow runs use it. */
export const activateFlow: Handler<ActivationBody> = async (call) => {
  const { dependencies, tenant, clientId, body, idempotencyKey } = call;
  const name = requestedFlowName(call);
  const options = { key: idempotencyKey, expected: body.active };
  return changeResponse(
    200,
    name,
    await dependencies.flowStore.activate(tenant, name, body.version, clientId, options),
  );
};

/** POST /v1/flows/{name}/rollback: activates the version that was active before. */
export const rollBackFlow: Handler<RollbackBody> = async (call) => {
  const { dependencies, tenant, clientId, body, idempotencyKey } = call;
  const name = requestedFlowName(call);
  const options = { key: idempotencyKey, expected: body.version };
  return changeResponse(200, name, await dependencies.flowStore.rollback(tenant, name, clientId, options));
};

/** DELETE /v1/flows/{name}/versions/{version}: deletes a version. Its flow runs continue. */
export const deleteFlowVersion: Handler = async (call) => {
  const { dependencies, tenant, clientId, idempotencyKey } = call;
  const [name, version] = [requestedFlowName(call), requestedVersion(call)];
  return changeResponse(
    200,
    name,
    await dependencies.flowStore.deleteVersion(tenant, name, version, clientId, idempotencyKey),
  );
};

/** GET /v1/flows/{name}/audit: the entries of the audit log about a flow, newest first. */
export const readFlowAudit: Handler = async (call) => {
  const entries = await call.dependencies.flowStore.readAudit(call.tenant, requestedFlowName(call));
  if (!entries) throw new Problem('flow_not_found');
  return { status: 200, body: entries };
};

/** GET /v1/flows/schema: the JSON Schema of a flow, for editors. */
export const readFlowSchema: Handler = async () => ({ status: 200, body: flowJsonSchema() });
