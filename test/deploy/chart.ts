import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { parse, parseAllDocuments } from 'yaml';

export const chartFolder = path.join(__dirname, '..', '..', 'deploy', 'helm', 'countersign');

/** The path in an environment variable that `npm test` sets. */
export function toolPath(name: 'HELM_PYTHON_PATH' | 'DEPLOY_TOOLS_DIR'): string {
  // oxlint-disable-next-line node/no-process-env -- the test runner sets it
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set. Run this test with npm test -- test/deploy.`);
  return value;
}

interface Probe {
  httpGet: { path: string; port: string };
}

export interface Container {
  command: string[];
  env: { name: string; value?: string; valueFrom?: { secretKeyRef: { optional: boolean } } }[];
  volumeMounts: { name: string; mountPath: string }[];
  ports: { name: string; containerPort: number }[];
  readinessProbe: Probe;
  livenessProbe: Probe;
  lifecycle?: { preStop: { sleep: { seconds: number } } };
  securityContext: object;
  resources: object;
}

export interface Pod {
  automountServiceAccountToken: boolean;
  terminationGracePeriodSeconds: number;
  securityContext: object;
  containers: [Container];
  volumes: { name: string; secret?: { secretName: string } }[];
}

/** An object of Kubernetes, as far as the tests read it. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  spec: {
    template?: { spec: Pod };
    strategy?: { rollingUpdate: object };
    podMetricsEndpoints?: { path: string; relabelings: { targetLabel: string; replacement: string }[] }[];
  };
}

export interface Rendering {
  /** All objects. Empty if there is an error. */
  objects: KubernetesObject[];
  findings: string[];
  error: string;
}

/** Renders and lints the chart with each of the values. Throws if Helm cannot run, or if YAML has duplicate keys. */
export function renderChart(values: readonly object[]): Rendering[] {
  const input = JSON.stringify({ chart: chartFolder, values });
  const { stdout, stderr, status } = spawnSync(toolPath('HELM_PYTHON_PATH'), [path.join(__dirname, 'helm.py')], {
    input,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  const results = JSON.parse(stdout) as { manifests?: Record<string, string>; findings?: string[]; error?: string }[];
  return results.map(({ manifests = {}, findings = [], error = '' }) => ({
    objects: Object.entries(manifests)
      .filter(([file]) => file.endsWith('.yaml'))
      .flatMap(([, text]) => parseAllDocuments(text, { uniqueKeys: true }))
      .map((document) => {
        if ('errors' in document && document.errors[0]) throw document.errors[0];
        return document.toJS() as KubernetesObject | null;
      })
      .filter((object) => object !== null),
    findings,
    error,
  }));
}

const schemasFolder = (version: string): string => {
  const lib = path.join(path.dirname(toolPath('HELM_PYTHON_PATH')), '..', 'lib');
  const [python = ''] = readdirSync(lib);
  const packageFolder = path.join(lib, python, 'site-packages', 'kubernetes_validate', 'kubernetes-json-schema');
  return path.join(packageFolder, `v${version}-local-strict`);
};

/** In schemas of other programs, unknown fields are allowed. Here they are mistakes. */
const strictly = (_key: string, value: Record<string, unknown> | null): unknown =>
  value?.['properties'] && value['additionalProperties'] === undefined && !value['x-kubernetes-preserve-unknown-fields']
    ? { ...value, additionalProperties: false }
    : value;

/** A definition of the objects of another program. */
interface Definition {
  spec: {
    group: string;
    names: { kind: string };
    versions: { name: string; schema: { openAPIV3Schema: { properties: object } } }[];
  };
}

/**
 * Returns a function that lists what is wrong with an object. A field that the API of this version of Kubernetes does not know is an error.
 * The schemas of PodMonitor and ScaledObject come from their programs.
 */
export function openValidator(version: string): (object: KubernetesObject) => string[] {
  const folder = schemasFolder(version);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(JSON.parse(readFileSync(path.join(folder, '_definitions.json'), 'utf8')), '_definitions.json');
  const validators = new Map<string, ValidateFunction>();
  for (const file of readdirSync(toolPath('DEPLOY_TOOLS_DIR')).filter((name) => name.endsWith('.yaml'))) {
    const { spec } = parse(readFileSync(path.join(toolPath('DEPLOY_TOOLS_DIR'), file), 'utf8')) as Definition;
    for (const { name, schema } of spec.versions) {
      const properties = { ...schema.openAPIV3Schema.properties, metadata: { type: 'object' } };
      const text = JSON.stringify({ ...schema.openAPIV3Schema, properties });
      validators.set(`${spec.group}/${name} ${spec.names.kind}`, ajv.compile(JSON.parse(text, strictly) as object));
    }
  }
  const validatorOf = ({ apiVersion, kind }: KubernetesObject): ValidateFunction => {
    const known = validators.get(`${apiVersion} ${kind}`);
    if (known) return known;
    const suffix = apiVersion
      .split('/')
      .map((part) => part.split('.')[0])
      .join('-');
    const file = path.join(folder, `${kind.toLowerCase()}-${suffix}.json`);
    const compiled = ajv.compile(JSON.parse(readFileSync(file, 'utf8')));
    validators.set(`${apiVersion} ${kind}`, compiled);
    return compiled;
  };
  return (object) => {
    const { kind, metadata } = object;
    const validate = validatorOf(object);
    if (validate(object)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${kind} ${metadata.name}${instancePath}: ${message} ${JSON.stringify(params)}`,
    );
  };
}
