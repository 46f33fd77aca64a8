import Ajv2020 from 'ajv/dist/2020';
import type { GetTestStack } from '../support/test-stack';
import { endpoints } from '../support/endpoints';
import { fetchContract, type OpenApiDocument } from '../support/openapi-contract';

/** Checks /openapi.json itself. `ApiClient` checks every response of every suite against this document. */
export function describeOpenApi(getTestStack: GetTestStack): void {
  describe('the OpenAPI document', () => {
    let document: OpenApiDocument;
    beforeAll(async () => {
      ({ document } = await fetchContract(getTestStack().api.address));
    });

    it('the document has the OpenAPI version 3.1, and every endpoint with its scope', () => {
      expect(document.openapi).toMatch(/^3\.1\.\d+$/);
      for (const { method, path, scope } of endpoints)
        expect([method, path, document.paths[path]?.[method.toLowerCase()]]).toEqual([
          method,
          path,
          expect.objectContaining({ security: [{ token: [scope] }] }),
        ]);
      for (const path of ['/oauth2/token', '/v1/authentication', '/health/live', '/health/ready', '/openapi.json'])
        expect(Object.keys(document.paths)).toContain(path);
    });

    it('each operation has a unique id, a summary, its path parameters and its security', () => {
      const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.values(methods).map((operation) => ({ path, ...(operation as unknown as OperationInfo) })),
      );
      const names = operations.map(({ operationId }) => operationId);
      expect(new Set(names).size).toBe(names.length);
      for (const { path, parameters = [], security, summary } of operations) {
        const declaredNames = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`);
        expect(declaredNames).toEqual(path.match(/\{\w+\}/g) ?? []);
        expect(summary).toMatch(/\w/);
        expect(security).toHaveLength(/^\/v1\/(?!authentication)/.test(path) ? 1 : 0);
      }
    });

    it('the document has valid JSON Schema 2020-12 schemas', () => {
      const ajv = new Ajv2020({ strict: false, validateFormats: false });
      const schemas: object[] = [];
      const collect = (value: unknown): void => {
        if (typeof value !== 'object' || value === null) return;
        for (const [name, part] of Object.entries(value))
          if (name === 'schema') schemas.push(part as object);
          else collect(part);
      };
      collect(document.paths);
      schemas.push(...Object.values(document.components.schemas));
      expect(schemas.length).toBeGreaterThan(endpoints.length);
      for (const schema of schemas) expect(ajv.validateSchema(schema)).toBe(true);
    });

    it('the check fails for a response whose status, fields, formats or content type differ from the document', async () => {
      const contract = await fetchContract(getTestStack().api.address);
      const headers = new Headers({ 'content-type': 'application/json; charset=utf-8' });
      const check = (status: number, body: unknown) =>
        contract.check('POST', '/v1/transaction/x/sms/tokens', { status, headers, body, text: '' });
      const validBody = { status: 'Waiting', createdAt: '2026-01-31T12:00:00.000Z', type: 'Sms' };
      expect(() => check(201, validBody)).not.toThrow();
      expect(() => check(201, { ...validBody, more: 1 })).toThrow(/not as documented/);
      expect(() => check(201, { ...validBody, createdAt: 'today' })).toThrow(/not as documented/);
      expect(() => check(202, validBody)).toThrow(/not documented/);
      expect(() => check(404, validBody)).toThrow(/not as application\/json/);
    });
  });
}

interface OperationInfo {
  operationId: string;
  summary: string;
  security: object[];
  parameters?: { name: string; in: string }[];
}
