import { z } from 'zod';
import { deletedParameter, pageParameters, pageQuery, parseQuery, queryDeleted } from '../http/page-query';
import type { ApiRoute, Handler } from '../http/route';
import { auditEntry, channel, exampleOf, named, nextPage } from '../http/openapi/schema-of';
import {
  deletedBy,
  deletion,
  flow,
  flowPath,
  flowVersion,
  parseVersion,
  positiveInt,
  requestedFlowName,
  requestedVersion,
  source,
  version,
  versionExample,
  versionPath,
} from './flows';
import { flowExample, isFlowName } from './flow-body';
import { flowJsonSchema } from './checks/flow-schema';
import { cursorOf } from '../http/cursors';
import { pageOf } from '../../platform/page';
import { Problem } from '../http/problem';
import { templates } from '../../flows/templates';

const summaryFields = {
  name: z.string(),
  title: z
    .string()
    .optional()
    .describe('The title of the active version, or of the newest version if no version is active'),
  source,
  active: positiveInt.optional().describe('The version that new flow runs use; absent until a version is activated'),
  newest: positiveInt,
  ...deletion,
};

const summary = named('FlowSummary', z.strictObject(summaryFields), {
  name: 'sms-first',
  title: 'A code by SMS',
  source: 'api',
  active: 1,
  newest: 1,
});

export const flowList = named('FlowList', z.strictObject({ flows: z.array(summary), ...nextPage }), {
  flows: [exampleOf(summary)],
});

/** GET /v1/flows: all flows, sorted by name. */
export const listFlows: Handler<'flowStore'> = async ({ dependencies, tenant, request }) => {
  const { limit, after, deleted } = parseQuery(request.url, {
    ...pageQuery(cursorOf(isFlowName)),
    deleted: queryDeleted,
  });
  const page = { limit: limit + 1, deleted, ...(after === undefined ? {} : { after }) };
  const { rows: flows, last } = pageOf(await dependencies.flowStore.list(tenant, page), limit);
  return { status: 200, body: { flows, ...(last && { next: last.name }) } };
};

/** GET /v1/flows/schema: the JSON Schema of a flow. */
export const flowJsonSchemaResponse = named('JsonSchema', z.record(z.string(), z.unknown()), {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Flow',
  type: 'object',
});

/** GET /v1/flows/schema: the JSON Schema of a flow, for editors. */
export const readFlowSchema: Handler = async () => ({ status: 200, body: flowJsonSchema() });

const inEachLanguage = <Text extends z.ZodType>(text: Text) => z.strictObject({ 'pt-BR': text, en: text, es: text });

const template = named(
  'FlowTemplate',
  z.strictObject({
    name: z.string(),
    channels: z.array(channel),
    ask: z.enum(['token', 'reply']),
    message: inEachLanguage(z.strictObject({ subject: z.string().optional(), body: z.string() })),
    replies: z
      .array(z.strictObject({ name: z.string(), label: inEachLanguage(z.string()) }))
      .describe('Only for a question: its replies. Their names are exits of the step'),
  }),
);

export const templateList = named('FlowTemplateList', z.strictObject({ templates: z.array(template) }), {
  templates: [
    {
      name: 'sms-token',
      channels: ['sms'],
      ask: 'token',
      message: {
        'pt-BR': { body: '{{brand}}: seu código é {{code}}.' },
        en: { body: '{{brand}}: your code is {{code}}.' },
        es: { body: '{{brand}}: su código es {{code}}.' },
      },
      replies: [],
    },
  ],
});

/** GET /v1/flows/templates: the reviewed texts that a `confirm` step can use by name. */
export const readTemplates: Handler = async () => {
  const list = [...templates.values()].map(({ options = [], ...template }) => ({
    ...template,
    replies: options.map(({ name, label }) => ({ name, label })),
  }));
  return { status: 200, body: { templates: list } };
};

export const flowDetails = named(
  'FlowDetails',
  z.strictObject({
    ...summaryFields,
    rollbackTo: positiveInt.optional().describe('The version that a rollback would activate; absent if there is none'),
    versions: z.array(flowVersion),
    ...nextPage,
  }),
  { ...exampleOf(summary), versions: [versionExample] },
);

/** GET /v1/flows/{name}: a flow with its versions, newest first. */
export const readFlowVersions: Handler<'flowStore'> = async (call) => {
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
  const { rows: versions, last } = pageOf(flow.versions, limit);
  const next = last && { next: String(last.version) };
  return { status: 200, body: { ...flow, ...rollbackTo, versions, ...next } };
};

export const flowVersionDetails = named(
  'FlowVersionDetails',
  z.strictObject({
    name: z.string(),
    source,
    ...version,
    deletedAt: deletion.deletedAt,
    deletedBy,
    definition: flow.describe('The definition, as in PUT /v1/flows/{name}'),
  }),
  {
    name: 'sms-first',
    source: 'api',
    ...versionExample,
    definition: { ...flowExample, name: 'sms-first' } as z.input<typeof flow>,
  },
);

/** GET /v1/flows/{name}/versions/{version}: a flow version with its definition. */
export const readFlowVersion: Handler<'flowStore'> = async (call) => {
  const [name, version] = [requestedFlowName(call), requestedVersion(call)];
  const options = parseQuery(call.request.url, { deleted: queryDeleted });
  const flowVersion = await call.dependencies.flowStore.findVersion(call.tenant, name, version, options);
  if (!flowVersion) throw new Problem('flow_version_not_found');
  const { definition, ...fields } = flowVersion;
  const { version: _, ...unversioned } = definition;
  return { status: 200, body: { name, ...fields, definition: unversioned } };
};

/** GET /v1/flows/{name}/audit: the entries of the audit log about a flow, newest first. */
export const readFlowAudit: Handler<'flowStore'> = async (call) => {
  const entries = await call.dependencies.flowStore.readAudit(call.tenant, requestedFlowName(call));
  if (!entries) throw new Problem('flow_not_found');
  return { status: 200, body: entries };
};

/** Reading flows; not in SPEC. The paths /v1/flows/schema and /v1/flows/templates must come before /v1/flows/{name}, which also matches them. */
export const readFlowRoutes: readonly ApiRoute[] = [
  {
    operationId: 'listFlows',
    method: 'get',
    path: '/v1/flows',
    scope: 'flows:read',
    summary: 'List all flows by name',
    responses: { 200: flowList },
    provides: { name: '$response.body#/flows/0/name' },
    problems: ['validation_failed'],
    parameters: [...pageParameters, deletedParameter],
    isLongRead: true,
    handler: listFlows,
  },
  {
    operationId: 'getFlowSchema',
    method: 'get',
    path: '/v1/flows/schema',
    scope: 'flows:read',
    summary: 'Get the JSON Schema of a flow, for editors',
    responses: { 200: flowJsonSchemaResponse },
    handler: readFlowSchema,
  },
  {
    operationId: 'listFlowTemplates',
    method: 'get',
    path: '/v1/flows/templates',
    scope: 'flows:read',
    summary: 'List the message templates that flows can use, with their texts',
    responses: { 200: templateList },
    handler: readTemplates,
  },
  {
    operationId: 'getFlow',
    method: 'get',
    path: flowPath,
    scope: 'flows:read',
    summary: 'Get a flow with its versions, newest first',
    responses: { 200: flowDetails },
    provides: { version: '$response.body#/versions/0/version' },
    problems: ['validation_failed', 'flow_not_found'],
    parameters: [...pageParameters, deletedParameter],
    isLongRead: true,
    handler: readFlowVersions,
  },
  {
    operationId: 'getFlowVersion',
    method: 'get',
    path: versionPath,
    scope: 'flows:read',
    summary: 'Get a version with its definition',
    parameters: [deletedParameter],
    responses: { 200: flowVersionDetails },
    problems: ['validation_failed', 'flow_version_not_found'],
    handler: readFlowVersion,
  },
  {
    operationId: 'listFlowAudit',
    method: 'get',
    path: `${flowPath}/audit`,
    scope: 'flows:read',
    summary: 'List the audit log of a flow, newest first',
    responses: { 200: z.array(auditEntry) },
    problems: ['flow_not_found'],
    handler: readFlowAudit,
  },
];
