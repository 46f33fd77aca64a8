import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findFreePort } from '../../dev/stack/free-port';
import { startProgram } from '../../dev/stack/start-program';

/** `npm test` installs Prometheus if it is missing. `promtool` is in the same folder. */
export function prometheusPrograms(): { prometheus: string; promtool: string } {
  // oxlint-disable-next-line node/no-process-env -- the test runner sets the path of the program
  const prometheus = process.env['PROMETHEUS_PATH'] || '/usr/bin/prometheus';
  return { prometheus, promtool: join(dirname(prometheus), 'promtool') };
}

/** One series of a result, with its newest value. */
export interface Sample {
  metric: Record<string, string>;
  value: [number, string];
}

export interface Alert {
  labels: { alertname: string; severity: string } & Record<string, string>;
  state: 'pending' | 'firing';
}

export interface RunningPrometheus {
  address: string;
  /** Throws if the expression is invalid. */
  query(expression: string): Promise<Sample[]>;
  /** Alerts that are pending or firing. */
  readAlerts(): Promise<Alert[]>;
  stop(): Promise<void>;
}

/** Short, so that a test sees a change within seconds. A process that has little CPU time must still answer within this time. */
const intervalSeconds = 2;

/** Scrapes `targets`, such as `127.0.0.1:9464` by job, every two seconds, and evaluates the rules in a YAML text. */
export async function startPrometheus(targets: Record<string, string>, rules?: string): Promise<RunningPrometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-prometheus-'));
  const port = await findFreePort();
  const address = `http://127.0.0.1:${port}`;
  const config = {
    global: { scrape_interval: `${intervalSeconds}s`, evaluation_interval: `${intervalSeconds}s` },
    scrape_configs: Object.entries(targets).map(([job, target]) => ({
      job_name: job,
      static_configs: [{ targets: [target] }],
    })),
    rule_files: rules === undefined ? [] : ['rules.yaml'],
  };
  // JSON is also YAML.
  writeFileSync(join(folder, 'prometheus.yaml'), JSON.stringify(config));
  if (rules !== undefined) writeFileSync(join(folder, 'rules.yaml'), rules);
  const get = async (path: string): Promise<unknown> => {
    const response = await fetch(`${address}/api/v1/${path}`);
    const body = (await response.json()) as { data?: unknown; error?: string };
    if (!response.ok) throw new Error(`Prometheus: ${body.error}`);
    return body.data;
  };
  const program = await startProgram(
    prometheusPrograms().prometheus,
    [
      `--config.file=${join(folder, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    address,
    () =>
      fetch(`${address}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
  );
  return {
    address,
    query: async (expression) =>
      ((await get(`query?${new URLSearchParams({ query: expression }).toString()}`)) as { result: Sample[] }).result,
    readAlerts: async () => ((await get('alerts')) as { alerts: Alert[] }).alerts,
    stop: async () => {
      await program.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
