import { z } from 'zod';
import { exampleOf, named } from '../http/openapi/schema-of';
import { nextPage, utcTime } from '../http/response-fields';
import { flowFile } from './checks/flow-schema';
import { flowExample } from './flow-body';

const positiveInt = z.int().min(1);

/** The fields that only a deleted flow or version has. */
const deletion = {
  deletedAt: utcTime.optional().describe('When the flow or version was deleted. Only with deleted=true'),
  running: z.int().optional().describe('Only for a deleted flow or version: how many of its flow runs still continue'),
};

const deletedBy = z.string().optional().describe('The client that deleted the version. Only with deleted=true');

const version = { version: positiveInt, digest: z.string(), createdAt: utcTime, createdBy: z.string() };

const source = named(
  'FlowSource',
  z.enum(['code', 'api']).describe('`code`: built into the service; `api`: created by this tenant'),
);

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

const at = '2026-01-31T12:00:00.000Z';

const versionExample = {
  version: 1,
  digest: '7d865e959b2466918c9863afca942d0fb89d7c9ac0c99bafc3749504ded97730',
  createdAt: at,
  createdBy: 'acme',
};

const flowVersion = named(
  'FlowVersion',
  z.strictObject({ ...version, title: z.string().optional(), ...deletion, deletedBy }),
  versionExample,
);

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

export const newFlowVersion = named('NewFlowVersion', z.strictObject({ name: z.string(), ...version }), {
  name: 'sms-first',
  ...versionExample,
});

const issue = named(
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

export const flowCheck = named(
  'FlowCheck',
  z.strictObject({
    valid: z.boolean(),
    issues: z.array(issue),
    seconds: z.number().optional().describe('Only for a valid flow: the longest time that a flow run can take'),
    sends: z
      .int()
      .optional()
      .describe('Only for a valid flow: the highest number of messages that a flow run can send'),
    outcomes: z.array(z.string()).optional().describe('Only for a valid flow: how its flow runs can end'),
    diagram: z.string().optional().describe('The diagram as SVG; absent if fields have wrong types'),
  }),
  {
    valid: false,
    issues: [
      {
        code: 'leads-nowhere',
        path: 'steps.code.exits.Blocked',
        message: 'The next step is `deny`, but there is no such step.',
        fix: 'Did you mean `denied`? Use one of the steps: `code`, `denied`.',
        line: 9,
        column: 30,
        endLine: 9,
        endColumn: 36,
      },
    ],
  },
);

const inEachLanguage = <Text extends z.ZodType>(text: Text) => z.strictObject({ 'pt-BR': text, en: text, es: text });

const template = named(
  'FlowTemplate',
  z.strictObject({
    name: z.string(),
    channels: z.array(z.enum(['sms', 'email', 'whatsapp'])),
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

const flow = named('Flow', flowFile.describe('A flow without its version, which the service assigns'));

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

export const flowActivation = named(
  'FlowActivation',
  z.strictObject({
    name: z.string(),
    version: positiveInt,
    activatedAt: utcTime,
    activatedBy: z.string(),
    previous: positiveInt.optional().describe('The version that was active before'),
  }),
  { name: 'sms-first', version: 2, activatedAt: at, activatedBy: 'acme', previous: 1 },
);

export const flowVersionDeletion = named(
  'FlowVersionDeletion',
  z.strictObject({
    name: z.string(),
    version: positiveInt,
    deletedAt: utcTime,
    deletedBy: z.string(),
  }),
  { name: 'sms-first', version: 1, deletedAt: at, deletedBy: 'acme' },
);

/** GET /v1/flows/schema: the JSON Schema of a flow. */
export const flowJsonSchemaResponse = named('JsonSchema', z.record(z.string(), z.unknown()), {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Flow',
  type: 'object',
});

/** The diagram of a flow version or a flow run. */
export const diagram = {
  'image/svg+xml': named('Svg', z.string(), '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"></svg>'),
};
