import { randomUUID } from 'node:crypto';
import { defaultPayloadConverter, type Payload, type PayloadCodec } from '@temporalio/common';
import { fromJson, type JsonPayload, toJson } from '../../../api/codec/decode';
import { TransactionKeys } from '../../../platform/keys/data-keys';
import { createPayloadCodec } from '../../../platform/temporal/data-converter';
import { dataOwnerOf, transactionWorkflowId } from '../../../workflows/contract/ids';
import { type ApiResponse, ApiWorld, type RequestOptions } from '../api-world';
import { addKey } from '../../support/new-record';
import { startPostgres, type TestPostgres } from '../../support/postgres';

export const uiUrl = 'http://127.0.0.1:8233';
export const decodePath = '/v1/codec/decode';

/** The settings of `npm start`. */
export const localSettings = { PUBLIC_URL: 'http://127.0.0.1:3000', TEMPORAL_UI_URL: uiUrl };

/** `encrypt`: encrypts a value with the data key of the transaction, as a payload of the workflow. */
export interface EncryptedTransaction {
  id: string;
  tenant: string;
  encrypt(value: unknown): Promise<JsonPayload>;
}

/** The API with a database that has the keys of transactions. */
export class CodecWorld {
  private constructor(
    readonly api: ApiWorld,
    private readonly postgres: TestPostgres,
    private readonly codec: PayloadCodec,
  ) {}

  static async open(settings: Record<string, string> = {}): Promise<CodecWorld> {
    const postgres = await startPostgres();
    const databaseUrl = await postgres.createDatabase();
    const api = await ApiWorld.open({ TEMPORAL_UI_URL: uiUrl, DATABASE_URL: databaseUrl, ...settings });
    const { pool, keys } = api.dependencies;
    // The API does not use this object, so the API must read each key from the database.
    const transactionKeys = new TransactionKeys(pool, keys.serviceKeys);
    const codec = createPayloadCodec({ transactionKeys, ownerOf: dataOwnerOf, encrypts: true });
    return new CodecWorld(api, postgres, codec);
  }

  async close(): Promise<void> {
    await this.api.close();
    await this.postgres.stop();
  }

  async createTransaction(tenant = 'local'): Promise<EncryptedTransaction> {
    const id = randomUUID();
    await addKey(this.api.dependencies.pool, { tenant, owner: id });
    const workflowId = transactionWorkflowId(tenant, id);
    const encrypt = async (value: unknown) => {
      const payload = defaultPayloadConverter.toPayload(value);
      const [encrypted = {}] = await this.codec.encode([payload], {
        type: 'workflow',
        namespace: 'default',
        workflowId,
      });
      return toJson(encrypted);
    };
    return { id, tenant, encrypt };
  }

  async erase({ id, tenant }: EncryptedTransaction): Promise<void> {
    await this.api.dependencies.pool.query('delete from data_keys where tenant = $1 and owner = $2', [tenant, id]);
  }

  decode(payloads: readonly JsonPayload[], request: RequestOptions = {}): Promise<ApiResponse> {
    return this.api.post(decodePath, { body: { payloads }, ...request });
  }

  async auditOf({ id, tenant }: EncryptedTransaction): Promise<{ actor: string; action: string; detail: unknown }[]> {
    const { rows } = await this.api.dependencies.pool.query(
      'select actor, action, detail from audit_log where tenant = $1 and owner = $2 order by id',
      [tenant, id],
    );
    return rows as { actor: string; action: string; detail: unknown }[];
  }
}

/** The values in a response of the codec server. */
export const valuesOf = ({ body }: ApiResponse): unknown[] =>
  (body as { payloads: JsonPayload[] }).payloads.map((payload) =>
    defaultPayloadConverter.fromPayload(fromJson(payload)),
  );

/** A payload that is not encrypted. */
export const clearPayload = (value: unknown): JsonPayload =>
  toJson(defaultPayloadConverter.toPayload(value) satisfies Payload);

/** The status, and the origin whose web pages may read the response. */
export const statusAndAllowedOrigin = ({ status, headers }: ApiResponse) => [
  status,
  headers.get('access-control-allow-origin'),
];
