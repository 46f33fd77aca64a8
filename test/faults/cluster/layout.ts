import { findFreePort } from '../../../dev/stack/free-port';

/** The processes of the service. */
export const workers = ['worker-1', 'worker-2', 'worker-3'] as const;
export const apis = ['api-1', 'api-2'] as const;
/** A benchmark also uses a third one. */
export const allApis = [...apis, 'api-3'] as const;
/** The processes of the Temporal server, and the role of each. */
export const temporalRoles = {
  'history-1': 'history',
  'history-2': 'history',
  'matching-1': 'matching',
  'matching-2': 'matching',
  'frontend-1': 'frontend',
  'frontend-2': 'frontend',
  'temporal-worker': 'worker',
} as const;

export type WorkerName = (typeof workers)[number];
export type ApiName = (typeof allApis)[number];
export type TemporalName = keyof typeof temporalRoles;
export const temporalNames = Object.keys(temporalRoles) as TemporalName[];

/**
 * The network links that faults can slow down or cut, each named `client-server`. Each process of the service has its own two. All
 * processes of Temporal share one.
 */
export type Link = `${WorkerName | ApiName}-${'postgres' | 'temporal'}` | 'temporal-postgres';
export const links: readonly Link[] = [
  ...[...workers, ...allApis].flatMap((client) => [`${client}-postgres`, `${client}-temporal`] as const),
  'temporal-postgres',
];

/** Every port of the cluster. All are on 127.0.0.1. */
export interface Ports {
  postgres: number;
  toxiproxy: number;
  inbox: number;
  smtp: number;
  /** The balancer in front of the API processes. */
  api: number;
  /** The balancer in front of the Temporal frontends. */
  temporal: number;
  links: Record<Link, number>;
  apis: Record<ApiName, number>;
  /** Of the readiness probes. */
  workers: Record<WorkerName, number>;
  /** Of the processes of Temporal: for requests, and for messages between them. */
  rpc: Record<TemporalName, number>;
  membership: Record<TemporalName, number>;
}

async function findPorts<Name extends string>(names: readonly Name[]): Promise<Record<Name, number>> {
  const entries: [Name, number][] = [];
  // One after the other: the search never returns a port twice within seconds.
  for (const name of names) entries.push([name, await findFreePort()]);
  return Object.fromEntries(entries) as Record<Name, number>;
}

export async function findClusterPorts(): Promise<Ports> {
  return {
    ...(await findPorts(['postgres', 'toxiproxy', 'inbox', 'smtp', 'api', 'temporal'])),
    links: await findPorts(links),
    apis: await findPorts(allApis),
    workers: await findPorts(workers),
    rpc: await findPorts(temporalNames),
    membership: await findPorts(temporalNames),
  };
}
