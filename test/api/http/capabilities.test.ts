import { z } from 'zod';
import type { Scope } from '../../../api/http/auth/access-tokens';
import { createSchemaOf, type JsonObject } from '../../../api/http/openapi/schema-of';
import type { Route } from '../../../api/http/route';
import { routes } from '../../../api/routes';
import type { RunView } from '../../../domain/flows/view-run';
import { checkFlowCode } from '../../../workflows/contract/commands';
import { smsTokenFlow } from '../../../flows/sms-token.flow';
import { ApiWorld } from '../api-world';

interface TextField {
  operation: string;
  scope: string | undefined;
  path: string;
  /** What a caller must have to get the field, such as a scope. Undefined if the schema does not say it. */
  needs: string | undefined;
  isOptional: boolean;
  /** Whether the name or format suggests a link or a secret, which gives access to everybody who has it. */
  looksLikeCapability: boolean;
}

interface JsonSchema {
  $ref?: string;
  type?: string;
  format?: string;
  enum?: unknown;
  const?: unknown;
  'x-needs'?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  prefixItems?: JsonSchema[];
  additionalProperties?: JsonSchema | boolean;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
}

const suspiciousName = /url|uri|link|href|token|code|secret|password|key|cookie|signature|otp|pin$/i;

/** Fields whose names look like secrets, but which give access to nothing. */
const harmlessPaths =
  /(?:^|\.)(?:insights|rules|findings|issues)\[\]\.code$|^\[\]\.code$|address\.zipCode$|earlierSecretUntil$|^(?:supportUrl|logo\.url)$|^(?:issuer|token_endpoint|jwks_uri|service_documentation)$/;

const components: Record<string, JsonSchema> = {};
const schemaOf = createSchemaOf(components as Record<string, JsonObject>);

function* textFields(
  given: JsonSchema,
  path: string,
  isOptional: boolean,
): Generator<Omit<TextField, 'operation' | 'scope'>> {
  const schema = components[given.$ref?.replace('#/components/schemas/', '') ?? ''] ?? given;
  const name = path.split('.').at(-1) ?? '';
  if (schema.type === 'string')
    yield {
      path,
      needs: schema['x-needs'],
      isOptional,
      looksLikeCapability:
        schema.enum === undefined &&
        schema.const === undefined &&
        (schema.format === 'uri' || suspiciousName.test(name)) &&
        !harmlessPaths.test(path),
    };
  for (const [key, part] of Object.entries(schema.properties ?? {}))
    yield* textFields(part, path === '' ? key : `${path}.${key}`, !schema.required?.includes(key));
  const elements = [schema.items, ...(schema.prefixItems ?? [])].filter((part) => part !== undefined);
  for (const part of elements) yield* textFields(part, `${path}[]`, isOptional);
  if (typeof schema.additionalProperties === 'object')
    yield* textFields(schema.additionalProperties, `${path}.*`, true);
  for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) yield* textFields(part, path, isOptional);
}

function fieldsOf(route: Route): TextField[] {
  if (route.operationId === undefined) return [];
  const shapes = Object.entries(route.responses).filter(([status]) => Number(status) < 400);
  const schemas = shapes.flatMap(([, shape]) =>
    typeof shape === 'string' ? [] : shape instanceof z.ZodType ? [shape] : Object.values(shape),
  );
  return schemas.flatMap((schema) =>
    [...textFields(schemaOf(schema, 'output'), '', false)].map((field) => ({
      operation: route.operationId,
      scope: route.scope,
      ...field,
    })),
  );
}

const fields = routes.flatMap(fieldsOf);

test('every field of a response that looks like a link or a secret says what a caller must have to get it', () => {
  expect(fields.filter(({ looksLikeCapability, needs }) => looksLikeCapability && needs === undefined)).toEqual([]);
  expect(fields.filter(({ needs }) => needs !== undefined).length).toBeGreaterThan(8);
});

test('routes without a scope return no text that gives access, except access tokens for a client secret', () => {
  const marked = fields.filter(({ scope, needs }) => scope === undefined && needs !== undefined);
  expect(marked.map(({ operation, needs }) => [operation, needs])).toEqual([
    ['createToken', 'client secret'],
    ['authenticateClient', 'client secret'],
  ]);
});

const run: RunView = {
  runId: '01900000-0000-7000-8000-000000000001',
  flow: smsTokenFlow.name,
  version: 1,
  status: 'Running',
  step: 'check',
  awaited: {
    kind: 'images',
    biometricsId: '01900000-0000-4000-8000-000000000002',
    expiresAt: '2026-01-31T12:00:00.000Z',
  },
  startedAt: '2026-01-31T11:00:00.000Z',
  path: [],
};

/** A request for each operation in `withheldFields`, by operation id. */
const requests: Record<string, readonly [method: string, path: string, body?: object]> = {
  startFlowRun: ['POST', `flows/${run.flow}`],
  listFlowRuns: ['GET', 'flows'],
  getFlowRun: ['GET', `flows/runs/${run.runId}`],
  answerFlowRun: ['POST', `flows/runs/${run.runId}/answer`, { value: '123456' }],
  resendFlowRun: ['POST', `flows/runs/${run.runId}/resend`],
  cancelFlowRun: ['POST', `flows/runs/${run.runId}/cancel`],
};

/** Fields that need another scope than their operation. */
const withheldFields = fields.filter(
  ({ needs, scope }) => scope !== undefined && needs !== undefined && needs !== scope,
);

test('a field that needs another scope than its operation is optional, and has a test in this file', () => {
  expect(withheldFields.filter(({ isOptional }) => !isOptional)).toEqual([]);
  expect(new Set(withheldFields.map(({ operation }) => operation))).toEqual(new Set(Object.keys(requests)));
});

describe('the URL of the hosted page', () => {
  let world: ApiWorld;
  let path: string;
  beforeAll(async () => {
    world = await ApiWorld.open();
    world.dependencies.flowStore = { ...world.dependencies.flowStore, findActive: async () => smsTokenFlow };
    ({ path } = await world.createTransaction());
    const { read } = world.transactions;
    world.transactions.read = async (target) => {
      const { view, source } = await read(target);
      return { view: { ...view, flowRuns: [run] }, source };
    };
    const answer = { status: 'Valid', type: 'Sms', createdAt: run.startedAt, expirationTime: run.startedAt };
    world.transactions.send = async (_target, { name }) =>
      (name === checkFlowCode.name ? { answer, run } : run) as never;
  });
  afterAll(() => world.close());

  test.each(withheldFields.map(({ operation, scope, needs }) => [operation, scope as Scope, needs as Scope] as const))(
    'the URL in the response of %s needs the scope %s and also %s',
    async (operation, scope, needs) => {
      const [method, endpoint, body] = requests[operation] ?? ['GET', ''];
      const send = async (granted: readonly Scope[]) => {
        const token = await world.issueToken('local', granted);
        return world.request(`${path}/${endpoint}`, { method, token, ...(body ? { body } : {}) });
      };
      const [refused, allowed] = [await send([scope]), await send([scope, needs])];
      expect([refused.status, allowed.status]).toEqual([allowed.status, refused.status]);
      expect(JSON.stringify(refused.body)).toContain('"kind":"images"');
      expect(JSON.stringify(refused.body)).not.toContain('"url"');
      expect(JSON.stringify(allowed.body)).toMatch(/"url":"https:[^"]+\/biometrics\/[\w-]{43}"/);
    },
  );
});
