import { relative } from 'node:path';
import { isElsewhere, personsAddress, type StackSettings } from './settings';

/** What a person wants to know when the stack is ready. */
export function addressTable(settings: StackSettings, intakePort: number, tookMs: number): string {
  const { ports, publicUrl, dataDir, root } = settings;
  const local = (port: number) => `http://127.0.0.1:${port}`;
  const rows: [string, string][] = [
    ['API', publicUrl],
    ['Documents', `${local(ports.api)}/docs`],
    ...(isElsewhere.inbox(settings)
      ? []
      : [['Inbox', `${local(ports.inbox)}  (phones and mailboxes)`] as [string, string]]),
    ...(isElsewhere.temporal(settings) ? [] : [['Temporal UI', local(ports.temporalUi)] as [string, string]]),
    ["Persons' page", `${personsAddress(settings, intakePort)}/biometrics/…  (by links only)`],
    ['Access token', 'npm run -s token'],
    ['Data and logs', relative(root, dataDir).startsWith('..') ? dataDir : relative(root, dataDir)],
  ];
  const lines = rows.map(([name, value]) => `  ${name.padEnd(14)} ${value}`);
  return `\nCountersign is ready after ${(tookMs / 1_000).toFixed(1)} s. Ctrl-C stops it.\n\n${lines.join('\n')}\n`;
}
