import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { alertNames, readRules, rulesFile } from '../monitoring/alert-rules';
import { prometheusPrograms } from '../monitoring/prometheus';

const folder = path.dirname(rulesFile);
/** Runs promtool. Throws with its output if it finds a mistake. */
const runPromtool = (...args: readonly string[]) =>
  promisify(execFile)(prometheusPrograms().promtool, args, { cwd: folder });

const alerts = readRules().filter(({ alert }) => alert !== undefined);
const runbooks = readFileSync(path.join(folder, '../../docs/runbooks.md'), 'utf8');
const monitoring = readFileSync(path.join(folder, '../../docs/monitoring.md'), 'utf8');

test('promtool accepts the rules', async () => {
  await runPromtool('check', 'rules', path.basename(rulesFile));
});

test('each alert fires in its case, and none in a healthy one', async () => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.test.yaml'));
  await runPromtool('test', 'rules', ...files);
  const text = files.map((file) => readFileSync(path.join(folder, file), 'utf8')).join('\n');
  expect(alertNames().filter((name) => !text.includes(`alertname="${name}", alertstate="firing"`))).toEqual([]);
});

test('each alert says what happened, what to do first, and where its runbook is', () => {
  for (const { alert = '', labels, annotations } of alerts) {
    expect([alert, labels?.['severity']]).toEqual([alert, expect.stringMatching(/^(critical|warning)$/)]);
    expect([alert, annotations?.description]).toEqual([alert, expect.stringMatching(/ First /)]);
    expect([alert, annotations?.summary.length]).toEqual([alert, expect.any(Number)]);
    expect(annotations?.runbook_url).toBe(`docs/runbooks.md#${alert.toLowerCase()}`);
  }
});

test('each alert has a section in the runbooks and a row in the table of alerts, and there are no others', () => {
  const sections = Array.from(runbooks.matchAll(/^### (Countersign\w+)$/gm), ([, name = '']) => name);
  expect(sections.toSorted()).toEqual(alertNames().toSorted());
  const rows = Array.from(monitoring.matchAll(/^\| \[(Countersign\w+)\]\(runbooks\.md#(\w+)\)/gm));
  expect(rows.map(([, name = '']) => name).toSorted()).toEqual(alertNames().toSorted());
  expect(rows.filter(([, name = '', anchor]) => name.toLowerCase() !== anchor)).toEqual([]);
});
