import { writeFileSync } from 'node:fs';
import { isOk, type Component } from '../../../dev/stack/component';
import { allApis, type Ports } from './layout';

/** The API answers within 15 s, and waits at most 30 s for new events. */
const responseTimeout = '40s';

/**
 * The balancers of an operator: HTTP in front of the API, TCP in front of the Temporal frontends. A request that was sent is never
 * repeated: the caller gets 502 or 504. Only a refused connection goes to the next process.
 */
function configuration(ports: Ports): string {
  const server = (name: string, port: number) => `  server ${name} 127.0.0.1:${port} check inter 1s fall 2 rise 1`;
  return [
    'global',
    '  log stdout format raw local0 warning',
    'defaults',
    '  log global',
    '  timeout connect 2s',
    '  retries 2',
    '  option redispatch 1',
    '  retry-on conn-failure',
    '',
    'frontend api',
    '  mode http',
    `  bind 127.0.0.1:${ports.api}`,
    '  option forwardfor',
    '  timeout client 60s',
    '  default_backend apis',
    'backend apis',
    '  mode http',
    '  balance roundrobin',
    `  timeout server ${responseTimeout}`,
    '  option httpchk',
    `  http-check send meth GET uri /health/ready ver HTTP/1.1 hdr Host 127.0.0.1:${ports.api}`,
    ...allApis.map((name) => server(name, ports.apis[name])),
    '',
    'frontend temporal',
    '  mode tcp',
    `  bind 127.0.0.1:${ports.temporal}`,
    '  timeout client 1h',
    '  default_backend frontends',
    'backend frontends',
    '  mode tcp',
    '  balance roundrobin',
    '  timeout server 1h',
    ...(['frontend-1', 'frontend-2'] as const).map((name) => server(name, ports.rpc[name])),
    '',
  ].join('\n');
}

/** `file`: for its configuration. */
export function balancer(program: string, file: string, ports: Ports): Component<'balancer'> {
  return {
    name: 'balancer',
    prepare: () => Promise.resolve(writeFileSync(file, configuration(ports))),
    command: () => ({ file: program, args: ['-db', '-f', file], environment: process.env }),
    // Until an API process is ready, the balancer answers 503.
    isReady: () => isOk(`http://127.0.0.1:${ports.api}/health/ready`).then(() => true),
    stopSignal: 'SIGTERM',
    stopWithinMs: 5_000,
  };
}
