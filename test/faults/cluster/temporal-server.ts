import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Component } from '../../../dev/stack/component';
import { type Ports, type TemporalName, temporalRoles } from './layout';

/** The role in Postgres. It owns the two databases of Temporal. */
export const temporalRole = 'temporal';
export const namespace = 'countersign';

/** Few, so that each history process has two, and a killed one hands over half of all workflows. */
const historyShards = 4;

/** Longer than any test run. The verification reads the histories of closed workflows. */
const retentionSeconds = 72 * 3_600;

/** A member that does not stop within this time is killed. History hands over its shards within a few seconds. */
const stopWithinMs = 15_000;

const databases = { temporal: 'temporal', visibility: 'temporal_visibility' } as const;

/** What all processes of the Temporal server have in common. */
export interface TemporalServer {
  /** The program `temporal-server`. */
  program: string;
  /** The program `temporal-sql-tool` of the same release. */
  sqlTool: string;
  /** For the configuration files. */
  folder: string;
  password: string;
  ports: Ports;
}

/**
 * Writes the configuration of one process, in JSON, which is also YAML. Only the ports of its own role are its own: the processes find each
 * other in the table `cluster_membership`, which also has their ports.
 */
function writeConfiguration({ folder, password, ports }: TemporalServer, name: TemporalName): void {
  const store = (databaseName: string, maxConns: number) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName,
      connectAddr: `127.0.0.1:${ports.links['temporal-postgres']}`,
      connectProtocol: 'tcp',
      user: temporalRole,
      password,
      maxConns,
      maxIdleConns: maxConns,
      maxConnLifetime: '1h',
    },
  });
  const firstOf = { frontend: 'frontend-1', history: 'history-1', matching: 'matching-1', worker: 'temporal-worker' };
  const services = Object.entries(firstOf).map(([role, first]) => {
    const member = temporalRoles[name] === role ? name : (first as TemporalName);
    const rpc = { grpcPort: ports.rpc[member], membershipPort: ports.membership[member], bindOnIP: '127.0.0.1' };
    return [role, { rpc }];
  });
  const configuration = {
    log: { stdout: true, level: 'warn', format: 'json' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      numHistoryShards: historyShards,
      datastores: { default: store(databases.temporal, 10), visibility: store(databases.visibility, 5) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services: Object.fromEntries(services),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: 'frontend',
          rpcAddress: `127.0.0.1:${ports.temporal}`,
        },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    // The defaults of the release, as for an operator who sets nothing.
    dynamicConfigClient: { filepath: join(folder, 'dynamic.yaml'), pollInterval: '60s' },
  };
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'dynamic.yaml'), '{}\n');
  writeFileSync(join(folder, name, 'production.yaml'), JSON.stringify(configuration, undefined, 2), { mode: 0o600 });
}

/** Whether something listens on the port. */
const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

export function temporalMember(server: TemporalServer, name: TemporalName): Component<TemporalName> {
  return {
    name,
    prepare: () => Promise.resolve(writeConfiguration(server, name)),
    command: () => ({
      file: server.program,
      args: [
        ...['--root', server.folder, '--config', name, '--env', 'production', '--allow-no-auth', 'start'],
        ...['--service', temporalRoles[name]],
      ],
      environment: process.env,
    }),
    // The role `worker` serves no requests.
    isReady: () =>
      isListening(temporalRoles[name] === 'worker' ? server.ports.membership[name] : server.ports.rpc[name]),
    stopSignal: 'SIGTERM',
    stopWithinMs,
  };
}

/** Creates the two databases with their tables. The role must be able to create databases. */
export async function createTemporalDatabases({ sqlTool, password, ports }: TemporalServer): Promise<void> {
  for (const [schema, database] of Object.entries(databases)) {
    const address = ['--ep', '127.0.0.1', '-p', String(ports.postgres), '-u', temporalRole, '--pw', password];
    const run = (...command: string[]) =>
      promisify(execFile)(sqlTool, [...address, '--pl', 'postgres12', '--db', database, ...command]);
    await run('create');
    await run('setup-schema', '-v', '0.0');
    await run('update-schema', '--schema-name', `postgresql/v12/${schema}`);
  }
}

/** Creates the namespace as soon as a frontend answers. */
export async function createNamespace({ ports }: TemporalServer): Promise<void> {
  const connection = await Connection.connect({ address: `127.0.0.1:${ports.temporal}`, connectTimeout: '60s' });
  try {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: { seconds: retentionSeconds as never },
    });
  } finally {
    await connection.close();
  }
}
