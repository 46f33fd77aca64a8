import { join } from 'node:path';
import type { Component } from '../../../dev/stack/component';
import type { LocalSecrets } from '../../../dev/stack/local-secrets';
import { nodeComponents } from '../../../dev/stack/node-components';
import type { ApiName, Ports, WorkerName } from './layout';
import { namespace } from './temporal-server';

export interface Service {
  root: string;
  dataDir: string;
  ports: Ports;
  secrets: LocalSecrets;
  names: { workers: readonly WorkerName[]; apis: readonly ApiName[] };
  /** More variables for each process of the service, by name. */
  environments: Partial<Record<WorkerName | ApiName, NodeJS.ProcessEnv>>;
}

/** What the processes share, beside the settings of a local stack. */
const sharedEnvironment = {
  TEMPORAL_NAMESPACE: namespace,
  WORKER_ACTIVATION: 'auto',
  TEST_MODE: 'false',
  OTEL_METRICS_EXPORTER: 'none',
  // The balancer.
  TRUST_PROXY: '1',
  // Longer than a run, so that one access token is enough.
  ACCESS_TOKEN_SECONDS: '86400',
  LOG_LEVEL: 'info',
};

/** The inbox, the workers and the API processes. Each worker and API process reaches its servers over its own links. */
export function serviceComponents({
  root,
  dataDir,
  ports,
  secrets,
  names,
  environments,
}: Service): Component<string>[] {
  const create = (kind: 'inbox' | 'worker' | 'api', name: string, own: WorkerName | ApiName): Component<string> => {
    const components = nodeComponents(
      {
        root,
        dataDir,
        ports: {
          api: name in ports.apis ? ports.apis[name as ApiName] : ports.api,
          inbox: ports.inbox,
          postgres: ports.links[`${own}-postgres`],
          temporal: ports.links[`${own}-temporal`],
          temporalUi: ports.temporal,
        },
        publicUrl: `http://127.0.0.1:${ports.api}`,
        uiShowsClearText: true,
        environment: { ...process.env, ...sharedEnvironment, ...environments[own] },
        scripts: {},
      },
      secrets,
      { smtp: ports.smtp, workerHealth: ports.workers[name as WorkerName] },
    );
    const component = components.find((candidate) => candidate.name === kind);
    if (!component) throw new Error(`A local stack has no ${kind}. Unset SMTP_URL and TWILIO_BASE_URL.`);
    return { ...component, name };
  };
  return [
    create('inbox', 'inbox', 'worker-1'),
    ...names.workers.map((name) => create('worker', name, name)),
    ...names.apis.map((name) => create('api', name, name)),
  ];
}

/** The folder of the images, which is the same for all processes. */
export const imagesFolder = (dataDir: string): string => join(dataDir, 'images');
