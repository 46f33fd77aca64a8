import { registerBuiltInFlows } from '../../../api/flows/catalog/open-flow-store';
import { flows } from '../../../flows';
import { fetchContract, type OpenApiContract } from '../../acceptance/support/openapi-contract';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import { type ApiResponse, ApiWorld, type RequestOptions } from '../api-world';

export const buildPauseFlow = (seconds: number, title = 'A pause') => ({
  title,
  start: 'pause',
  steps: { pause: { kind: 'wait', seconds, then: 'end' }, end: { kind: 'outcome', outcome: 'Done' } },
});

/** The API with a real database and the built-in flows. Checks every response against the OpenAPI document. */
export class FlowWorld {
  private constructor(
    readonly api: ApiWorld,
    private readonly postgres: TestPostgres,
    private readonly contract: OpenApiContract,
  ) {}

  static async open(settings: Record<string, string> = {}): Promise<FlowWorld> {
    const postgres = await startPostgres();
    const api = await ApiWorld.open({ ...settings, DATABASE_URL: await postgres.createDatabase() });
    await registerBuiltInFlows(api.dependencies.pool, flows);
    return new FlowWorld(api, postgres, await fetchContract(api.address));
  }

  async close(): Promise<void> {
    await this.api.close();
    await this.postgres.stop();
  }

  async request(method: string, path: string, request: RequestOptions = {}): Promise<ApiResponse> {
    const response = await this.api.request(path, { method, ...request });
    this.contract.check(method, path.replace(/\?.*/, ''), { ...response, text: JSON.stringify(response.body) });
    return response;
  }

  get(path: string, request: RequestOptions = {}) {
    return this.request('GET', path, request);
  }

  put(name: string, body: unknown, request: RequestOptions = {}) {
    return this.request('PUT', `/v1/flows/${name}`, { body, ...request });
  }

  activate(name: string, version: number, request: RequestOptions = {}) {
    return this.request('POST', `/v1/flows/${name}/activate`, { body: { version }, ...request });
  }

  rollBack(name: string, request: RequestOptions = {}) {
    return this.request('POST', `/v1/flows/${name}/rollback`, request);
  }

  deleteVersion(name: string, version: number | string, request: RequestOptions = {}) {
    return this.request('DELETE', `/v1/flows/${name}/versions/${version}`, request);
  }

  /** Creates versions 1 to `versionCount`: version n pauses for n seconds. Then activates the versions in `activate`, in order. */
  async createVersions(
    name: string,
    versionCount: number,
    { activate = [] }: { activate?: readonly number[] } = {},
  ): Promise<void> {
    for (let seconds = 1; seconds <= versionCount; seconds += 1) await this.put(name, buildPauseFlow(seconds));
    for (const version of activate) await this.activate(name, version);
  }

  /** The entries about a flow, oldest first. */
  async readAuditLog(
    name: string,
    request: RequestOptions = {},
  ): Promise<[actor: string, action: string, detail: object][]> {
    const { body } = await this.get(`/v1/flows/${name}/audit`, request);
    const entries = body as { at: string; actor: string; action: string; detail: object }[];
    return entries.map(({ actor, action, detail }) => [actor, action, detail] as [string, string, object]).toReversed();
  }
}
