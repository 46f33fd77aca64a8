/** The operations that are measured, in the order of a transaction. */
export const operations = {
  create: 'create a transaction',
  send: 'send a code by SMS',
  wrong: 'check a wrong code',
  right: 'check the right code',
  query: 'read by query',
  record: 'read the record',
} as const;
export type Operation = keyof typeof operations;

/** `engine`: Temporal or Redis. */
export const processGroups = ['api', 'worker', 'engine', 'database'] as const;
export type ProcessGroup = (typeof processGroups)[number];

interface Endpoint {
  method: 'GET' | 'POST';
  path: (id: string) => string;
}

const endpointsBelow = (create: string, send: string, check: string): Record<Operation, Endpoint> => {
  const below = (suffix: string) => (id: string) => `${create}/${id}${suffix}`;
  return {
    create: { method: 'POST', path: () => create },
    send: { method: 'POST', path: below(send) },
    wrong: { method: 'POST', path: below(check) },
    right: { method: 'POST', path: below(check) },
    query: { method: 'GET', path: below('') },
    record: { method: 'GET', path: below('') },
  };
};
const peerEndpoints = endpointsBelow('/transactions', '/sms', '/check');

/** One program that is measured: Countersign, or a peer, which is what a user would build instead. */
export interface SideDefinition {
  title: string;
  operations: readonly Operation[];
  endpoints: Record<Operation, Endpoint>;
  /** The scripts of its processes in `programs/`, with their arguments. Countersign has none, because the stack starts it. */
  scripts: Partial<Record<'api' | 'worker', readonly string[]>>;
  /** The process that sends messages. Undefined if the side sends none. */
  sender?: 'api' | 'worker';
  engine?: 'temporal' | 'redis';
  /** Its database. Undefined if it uses no Postgres. */
  database?: string;
  /** The workflow of a transaction. Undefined without Temporal. */
  workflowId?: (id: string) => string;
  /** The side whose transactions it reads, if it creates none. */
  reads?: string;
  /** What a user would still have to build. Countersign has all of it. */
  lacks?: string;
}

const confirming: readonly Operation[] = ['create', 'send', 'wrong', 'right'];
const common =
  'encryption, limits per phone and tenant, delivery status, access tokens and tenants, scores, flows, erasure';

/** All sides, in the order of the tables. */
export const sides = {
  countersign: {
    title: 'Countersign',
    operations: [...confirming, 'query'],
    endpoints: endpointsBelow('/v1/transaction', '/sms/tokens', '/sms/tokens/validate'),
    scripts: {},
    sender: 'worker',
    engine: 'temporal',
    database: 'countersign',
    workflowId: (id) => `transaction/local/${id}`,
  },
  temporal: {
    title: 'raw Temporal',
    operations: [...confirming, 'query'],
    endpoints: peerEndpoints,
    scripts: { api: ['temporal.mjs', 'api'], worker: ['temporal.mjs', 'worker'] },
    sender: 'worker',
    engine: 'temporal',
    workflowId: (id) => `peer/${id}`,
    lacks: `a record (lists, search, reads without a worker), ${common}`,
  },
  dbos: {
    title: 'DBOS',
    operations: [...confirming, 'record'],
    endpoints: peerEndpoints,
    scripts: { api: ['dbos.mjs'] },
    sender: 'api',
    database: 'peer_dbos',
    lacks: common,
  },
  pgBoss: {
    title: 'pg-boss',
    operations: [...confirming, 'record'],
    endpoints: peerEndpoints,
    scripts: { api: ['pg-boss.mjs'] },
    sender: 'api',
    database: 'peer_pg_boss',
    lacks: common,
  },
  bullmq: {
    title: 'BullMQ',
    operations: [...confirming, 'record'],
    endpoints: peerEndpoints,
    scripts: { api: ['bullmq.mjs', 'api'], worker: ['bullmq.mjs', 'worker'] },
    sender: 'worker',
    engine: 'redis',
    database: 'peer_bullmq',
    lacks: `jobs that survive a crash of the machine in the last second, ${common}`,
  },
  plain: {
    title: 'Express and Postgres',
    operations: [...confirming, 'record'],
    endpoints: peerEndpoints,
    scripts: { api: ['plain.mjs'] },
    sender: 'api',
    database: 'peer_plain',
    lacks: `any recovery after a crash, ${common}`,
  },
  countersignRecord: {
    title: 'Countersign, READS=record',
    operations: ['record'],
    endpoints: endpointsBelow('/v1/transaction', '', ''),
    scripts: {},
    database: 'countersign',
    reads: 'countersign',
  },
  bare: {
    title: 'node:http and one query',
    operations: ['record'],
    endpoints: peerEndpoints,
    scripts: { api: ['bare.mjs'] },
    database: 'peer_plain',
    reads: 'plain',
    lacks: 'everything but the read',
  },
} as const satisfies Record<string, SideDefinition>;

export type SideName = keyof typeof sides;
export const sideNames = Object.keys(sides) as SideName[];

/** The definition of a side, with its optional fields. */
export const definitionOf = (name: SideName): SideDefinition => sides[name];
