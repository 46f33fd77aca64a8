import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { routes } from '../../api/routes';
import { readApiConfig, readWorkerConfig, settingNames } from '../../platform/config';
import {
  chartFolder,
  type Container,
  type KubernetesObject,
  openValidator,
  type Pod,
  type Rendering,
  renderChart,
} from './chart';

const required = {
  image: { repository: 'registry.example/countersign', tag: '1.0.0' },
  existingSecret: 'countersign',
  settings: {
    PUBLIC_URL: 'https://verify.example.com',
    TEMPORAL_ADDRESS: 'temporal.example:7233',
    IMAGES_S3_BUCKET: 'images',
    TWILIO_SMS_FROM: '+15005550006',
    TWILIO_WHATSAPP_FROM: '+15005550006',
  },
};
const everything = {
  ...required,
  imagePullSecrets: [{ name: 'registry' }],
  settings: {
    ...required.settings,
    TRUST_PROXY: '1',
    STOP_DELAY_SECONDS: '60',
    WORKER_BUILD_ID: '1.0.0',
    TEMPORAL_NAMESPACE: 'identity',
  },
  temporalTls: { existingSecret: 'temporal-tls', clientCertificate: true },
  scoringPoliciesConfigMap: 'policies',
  api: { autoscaling: { enabled: true } },
  worker: {
    drainSeconds: 120,
    keda: { enabled: true, triggerAuthentication: 'temporal' },
  },
  ingress: { enabled: true, className: 'nginx', annotations: { 'a.example/b': 'c' }, tlsSecret: 'verify-tls' },
  metrics: { podMonitor: { enabled: true, labels: { release: 'prometheus' } } },
  networkPolicy: { apiFrom: [{ podSelector: {} }], metricsFrom: [{ namespaceSelector: {} }] },
};
const { TWILIO_SMS_FROM: _sms, TWILIO_WHATSAPP_FROM: _whatsapp, ...withoutSenders } = required.settings;
const withProviders = { ...required, settings: withoutSenders, messagingSecret: 'providers' };
const withCpuScaling = { ...required, worker: { autoscaling: { enabled: true } }, metrics: { enabled: false } };
const withSettings = (settings: object) => ({ ...required, settings: { ...required.settings, ...settings } });
const { IMAGES_S3_BUCKET: _, ...withoutBucket } = required.settings;
const invalid: Record<string, [values: object, message: RegExp]> = {
  'no values': [{}, /image\.repository: set it to[\s\S]*existingSecret: create a secret[\s\S]*PUBLIC_URL: is required/],
  'no bucket': [{ ...required, settings: withoutBucket }, /IMAGES_S3_BUCKET: is required, because API and workers/],
  'an unknown value': [{ ...required, replicas: 2 }, /additional properties 'replicas' not allowed/],
  'a secret among the settings': [withSettings({ SERVICE_KEY: 'x' }), /'\/settings'.*'SERVICE_KEY' not allowed/],
  'a number as a setting': [withSettings({ RATE_LIMIT_PER_SECOND: 5 }), /RATE_LIMIT_PER_SECOND'.*want string/],
  'no senders': [
    { ...required, settings: withoutSenders },
    /TWILIO_SMS_FROM: is required[\s\S]*TWILIO_WHATSAPP_FROM: is/,
  ],
  'providers twice': [{ ...withProviders, settings: { ...withoutSenders, MESSAGING: '{}' } }, /set only one/],
  'an ingress without TRUST_PROXY': [{ ...required, ingress: { enabled: true } }, /settings\.TRUST_PROXY: is required/],
  'KEDA without a build id': [{ ...required, worker: { keda: { enabled: true } } }, /WORKER_BUILD_ID: is required/],
  'two autoscalers': [
    { ...everything, worker: { keda: { enabled: true }, autoscaling: { enabled: true } } },
    /enable only one/,
  ],
  'no replicas': [{ ...required, api: { replicas: 0 } }, /'\/api\/replicas'.*want 1/],
};

let minimal: Rendering;
let full: Rendering;
let scaled: Rendering;
let several: Rendering;
let rejected: Rendering[];
beforeAll(() => {
  const values = [required, everything, withCpuScaling, withProviders, ...Object.values(invalid).map(([one]) => one)];
  [minimal, full, scaled, several, ...rejected] = renderChart(values) as [
    Rendering,
    Rendering,
    Rendering,
    Rendering,
    ...Rendering[],
  ];
});

const find = ({ objects }: Rendering, kind: string, name: string): KubernetesObject => {
  const object = objects.find((one) => one.kind === kind && one.metadata.name === name);
  if (!object) throw new Error(`The chart has no ${kind} ${name}.`);
  return object;
};
const podOf = ({ kind, spec }: KubernetesObject): Pod => {
  if (!spec.template) throw new Error(`A ${kind} has no pods.`);
  return spec.template.spec;
};
const podsOf = ({ objects }: Rendering): Pod[] => objects.filter(({ spec }) => spec.template).map(podOf);
const containers = (rendering: Rendering): Container[] => podsOf(rendering).flatMap((pod) => pod.containers);
const environmentOf = ({ env }: Container): Record<string, string> =>
  Object.fromEntries(env.map(({ name, value }) => [name, value ?? '']));

test.each([
  ['1.30.0', 'the oldest version that the chart accepts'],
  ['1.37.0', 'a newer version'],
])('Kubernetes %s (%s) knows every field', (version) => {
  const validate = openValidator(version);
  for (const { error, findings, objects } of [minimal, full, scaled, several]) {
    expect({ error, findings }).toEqual({ error: '', findings: [] });
    expect(objects.flatMap(validate)).toEqual([]);
  }
  const mistake = { replica: 2 };
  const deployment = find(minimal, 'Deployment', 'verify-api');
  expect(validate({ ...deployment, spec: { ...deployment.spec, ...mistake } })).not.toEqual([]);
  const scaledObject = find(full, 'ScaledObject', 'verify-worker');
  expect(validate({ ...scaledObject, spec: { ...scaledObject.spec, ...mistake } })).not.toEqual([]);
});

test.each(Object.keys(invalid).map((name, index) => [name, index] as const))('rejects %s', (name, index) => {
  expect(rejected[index]?.error).toMatch(invalid[name]?.[1] ?? '');
});

/** Settings that the chart does not offer: fixed by the chart, or only for local stacks. */
const notOffered = new Set([
  // With `manual`, nobody would drain the version of the old pods.
  'WORKER_ACTIVATION',
  ...['HOST', 'PORT', 'WORKER_HEALTH_HOST', 'WORKER_HEALTH_PORT', 'SCORING_POLICIES', 'IMAGES_DIR', 'ERASURE_LOG'],
  ...['OTEL_METRICS_EXPORTER', 'OTEL_EXPORTER_PROMETHEUS_HOST', 'OTEL_EXPORTER_PROMETHEUS_PORT'],
  ...['TEMPORAL_UI_CLEAR_TEXT', 'FLOW_SIMULATOR_URL', 'BOOTSTRAP_CLIENTS', 'ENCRYPT_PAYLOADS'],
  ...['TEMPORAL_TLS_CA', 'TEMPORAL_TLS_CERT', 'TEMPORAL_TLS_KEY'],
]);
const known = new Set(settingNames);

test('every variable in a container is a setting, and every setting of the service can be set', () => {
  const rendered = new Set(containers(full).flatMap((container) => Object.keys(environmentOf(container))));
  expect([...rendered].filter((name) => !known.has(name))).toEqual([]);
  const schema = JSON.parse(readFileSync(path.join(chartFolder, 'values.schema.json'), 'utf8')) as {
    properties: { settings: { properties: object } };
  };
  const offered = Object.keys(schema.properties.settings.properties);
  const secrets = podOf(find(full, 'Deployment', 'verify-api')).containers[0].env.flatMap(({ name, valueFrom }) =>
    valueFrom ? [name] : [],
  );
  const expected = [...known].filter((name) => !notOffered.has(name) && !secrets.includes(name));
  expect(offered.toSorted()).toEqual(expected.toSorted());
  const guide = readFileSync(path.join(chartFolder, 'README.md'), 'utf8');
  expect(secrets.filter((name) => !guide.includes(`| \`${name}\` |`))).toEqual([]);
});

test('no variable is set twice, and no secret has a value', () => {
  for (const { env } of [...containers(full), ...containers(minimal)]) {
    const names = env.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
    const secrets = env.filter(({ name }) => /KEY$|TOKEN$|^DATABASE_URL|^SMTP_URL/.test(name));
    for (const { name, value } of secrets) expect(name === 'TEMPORAL_TLS_KEY' ? undefined : value).toBeUndefined();
  }
});

test('API and worker accept the rendered environment in production', () => {
  const secrets = {
    DATABASE_URL: 'postgres://countersign@postgres.example/countersign',
    SERVICE_KEY: randomBytes(32).toString('base64'),
    TWILIO_ACCOUNT_SID: 'AC0123456789abcdef0123456789abcdef',
    TWILIO_AUTH_TOKEN: '0123456789abcdef0123456789abcdef',
    SMTP_URL: 'smtps://mail.example',
    IMAGES_S3_ACCESS_KEY_ID: 'id',
    IMAGES_S3_SECRET_ACCESS_KEY: 'key',
  };
  const [api, worker] = ['api', 'worker'].map((name) =>
    environmentOf(podOf(find(minimal, 'Deployment', `verify-${name}`)).containers[0]),
  );
  expect(readApiConfig({ ...api, ...secrets })).toMatchObject({ HOST: '0.0.0.0', OTEL_METRICS_EXPORTER: 'prometheus' });
  expect(readWorkerConfig({ ...worker, ...secrets })).toMatchObject({ WORKER_HEALTH_PORT: 3002 });
});

test('probes and metrics use paths and ports that the processes serve', () => {
  const paths = routes.map(({ path: routePath }) => routePath);
  for (const name of ['verify-api', 'verify-worker']) {
    const [container] = podOf(find(full, 'Deployment', name)).containers;
    const { PORT, WORKER_HEALTH_PORT, OTEL_EXPORTER_PROMETHEUS_PORT } = environmentOf(container);
    const ports = Object.fromEntries(
      container.ports.map(({ name: port, containerPort }) => [port, String(containerPort)]),
    );
    expect(Object.values(ports)).toEqual([PORT ?? WORKER_HEALTH_PORT, OTEL_EXPORTER_PROMETHEUS_PORT]);
    for (const probe of [container.readinessProbe, container.livenessProbe]) {
      expect(paths).toContain(probe.httpGet.path);
      expect(ports).toHaveProperty(probe.httpGet.port);
    }
  }
  const [endpoint] = find(full, 'PodMonitor', 'verify').spec.podMetricsEndpoints ?? [];
  expect(endpoint).toMatchObject({ path: '/metrics' });
  // Otherwise the job of all pods would be the name of the PodMonitor, and alerts that select a job would always or never fire.
  const rules = readFileSync(path.join(__dirname, '../../deploy/prometheus/countersign.rules.yaml'), 'utf8');
  const jobs = new Set(Array.from(rules.matchAll(/job="([^"]+)"/g), ([, job]) => job));
  const replacement = endpoint?.relabelings.find(({ targetLabel }) => targetLabel === 'job')?.replacement;
  expect(jobs).toEqual(new Set(['api', 'worker'].map((component) => replacement?.replace('$1', component))));
  expect(containers(scaled)[0]?.ports).toHaveLength(1);
});

test('a replaced worker works until its workflows have moved, and is not killed before it has stopped', () => {
  for (const [rendering, seconds] of [[minimal, 300] as const, [full, 120] as const]) {
    const deployment = find(rendering, 'Deployment', 'verify-worker');
    const pod = podOf(deployment);
    expect(pod.containers[0].lifecycle?.preStop.sleep.seconds).toBe(seconds);
    // docker-compose.yml gives a worker 15 s to stop.
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(seconds + 15);
    expect(deployment.spec.strategy?.rollingUpdate).toEqual({ maxSurge: '100%', maxUnavailable: 0 });
  }
  const job = find(full, 'Job', 'verify-activate');
  expect(job.metadata.annotations?.['helm.sh/hook']).toBe('post-upgrade,post-rollback');
});

test('API and workers have the scoring policies, and jobs do not need them', () => {
  const policiesOf = (kind: 'Deployment' | 'Job', name: string) =>
    environmentOf(podOf(find(full, kind, name)).containers[0])['SCORING_POLICIES'];
  expect([policiesOf('Deployment', 'verify-api'), policiesOf('Deployment', 'verify-worker')]).toEqual([
    '/policies',
    '/policies',
  ]);
  expect([policiesOf('Job', 'verify-migrate'), policiesOf('Job', 'verify-activate')]).toEqual([undefined, undefined]);
});

test('with several providers, API and workers have their file, and need no account at Twilio', () => {
  for (const name of ['api', 'worker']) {
    const pod = podOf(find(several, 'Deployment', `verify-${name}`));
    const { env, volumeMounts } = pod.containers[0];
    const file = environmentOf(pod.containers[0])['MESSAGING'] ?? '';
    const mount = volumeMounts.find(({ mountPath }) => file.startsWith(`${mountPath}/`));
    const volume = pod.volumes.find((one) => one.name === mount?.name);
    expect([path.basename(file), volume?.secret?.secretName]).toEqual(['messaging.json', 'providers']);
    const twilio = env.filter((one) => ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'SMTP_URL'].includes(one.name));
    expect(twilio.map(({ valueFrom }) => valueFrom?.secretKeyRef.optional)).toEqual([true, true, true]);
  }
  const required = containers(minimal).flatMap(({ env }) => env.filter((one) => one.name === 'SMTP_URL'));
  expect(required[0]?.valueFrom?.secretKeyRef.optional).toBe(false);
  // Jobs send no messages.
  const [job] = podOf(find(several, 'Job', 'verify-migrate')).containers;
  expect(environmentOf(job)).not.toHaveProperty('MESSAGING');
});

test('a stopping API is not killed before its stop delay and its running requests have ended', () => {
  for (const [rendering, delay] of [[minimal, 5] as const, [full, 60] as const])
    expect(podOf(find(rendering, 'Deployment', 'verify-api')).terminationGracePeriodSeconds).toBe(delay + 15);
});

test('the schema is updated before any pod changes', () => {
  const job = find(minimal, 'Job', 'verify-migrate');
  expect(job.metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
  const [, file, command] = podOf(job).containers[0].command;
  expect([file, command]).toEqual(['dist/dev/cli.js', 'migrate']);
});

test('containers have no rights that they do not need', () => {
  for (const pod of podsOf(full)) {
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    for (const { securityContext, resources } of pod.containers) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(resources).toMatchObject({
        requests: { cpu: expect.any(String) },
        limits: { memory: expect.any(String) },
      });
    }
  }
});

test('the README describes every value', () => {
  const leavesOf = (value: unknown, prefix: string): string[] =>
    value &&
    typeof value === 'object' &&
    !Array.isArray(value) &&
    Object.keys(value).length > 0 &&
    prefix !== 'settings'
      ? Object.entries(value).flatMap(([key, child]) => leavesOf(child, prefix === '' ? key : `${prefix}.${key}`))
      : [prefix];
  const leaves = leavesOf(parse(readFileSync(path.join(chartFolder, 'values.yaml'), 'utf8')), '').map((name) =>
    name.replace(/\.resources\..*/, '.resources'),
  );
  const guide = readFileSync(path.join(chartFolder, 'README.md'), 'utf8');
  expect(leaves.length).toBeGreaterThan(30);
  expect(leaves.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
});
