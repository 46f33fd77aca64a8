import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';

export const rulesFile = path.join(__dirname, '../../deploy/prometheus/countersign.rules.yaml');

interface Rule {
  alert?: string;
  record?: string;
  expr: string;
  for?: string;
  labels?: Record<string, string>;
  annotations?: { summary: string; description: string; runbook_url: string };
}

interface RuleFile {
  groups: { name: string; rules: Rule[] }[];
}

const readRuleFile = () => parse(readFileSync(rulesFile, 'utf8')) as RuleFile;

/** All rules of the file. */
export const readRules = (): Rule[] => readRuleFile().groups.flatMap(({ rules }) => rules);

/** The name of each alert once. */
export const alertNames = (): string[] =>
  Array.from(new Set(readRules().flatMap(({ alert }) => (alert === undefined ? [] : [alert]))));

/** The durations of the rules in a test that takes minutes, in seconds. Each longer one stays longer. */
const shortSeconds: Record<string, number> = {
  '1m': 3,
  '2m': 6,
  '5m': 10,
  '10m': 14,
  '15m': 18,
  '30m': 25,
  '1h': 30,
  '3h': 40,
  '6h': 45,
  '1d': 70,
};

/** How long a condition must hold, in seconds: short, because the test causes one failure after the other. */
const holdSeconds: Record<string, number> = { '1m': 2, '2m': 3, '5m': 4, '10m': 5, '15m': 6, '1h': 8 };

/** Thresholds of seconds and of volumes that a small stack reaches in a short window. */
const smallThresholds: [alert: string, from: string, to: string][] = [
  ['CountersignApiSlow', '> 100', '> 20'],
  ['CountersignConversionDropped', '> 50', '> 8'],
  ['CountersignHistoriesLong', '"2500"', '"25"'],
  ['CountersignProviderEventsLate', '> 120', '> 12'],
  ['CountersignUndelivered', '> 20', '> 8'],
  ['CountersignWebhookDeliveriesLate', '> 120', '> 12'],
  ['CountersignWorkflowsBehind', '> 20', '> 5'],
];

function shorten(table: Record<string, number>, duration: string): string {
  const seconds = table[duration];
  if (seconds === undefined) throw new Error(`test/monitoring/alert-rules.ts: add the duration ${duration}.`);
  return `${seconds}s`;
}

/** The rules with short durations and small volumes, as YAML. Throws if a rule has a duration or a threshold that is not known here. */
export function shortRules(): string {
  const file = readRuleFile();
  for (const rule of file.groups.flatMap(({ rules }) => rules)) {
    rule.expr = rule.expr
      .replace(/\[(\w+)\]/g, (_, duration: string) => `[${shorten(shortSeconds, duration)}]`)
      .replace(/offset (\w+)/g, (_, duration: string) => `offset ${shorten(shortSeconds, duration)}`);
    if (rule.for !== undefined) rule.for = shorten(holdSeconds, rule.for);
    for (const [, from, to] of smallThresholds.filter(([alert]) => alert === rule.alert)) {
      if (!rule.expr.includes(from)) throw new Error(`test/monitoring/alert-rules.ts: ${rule.alert} has no ${from}.`);
      rule.expr = rule.expr.replaceAll(from, to);
    }
  }
  return stringify(file);
}
