import { relative, resolve } from 'node:path';
import { isExternal, type StackSettings } from './settings';

/** Quotes a text for a shell, if needed. */
const quote = (text: string) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`);

/** The addresses and commands that `npm start` prints when the stack is ready. */
export function startupMessage(settings: StackSettings, durationMs: number): string {
  const { ports, publicUrl, dataDir, root } = settings;
  const localUrl = (port: number) => `http://127.0.0.1:${port}`;
  const isDefault = dataDir === resolve(root, '.data');
  const rows: [string, string][] = [
    ['API', publicUrl],
    ['Documentation', `${localUrl(ports.api)}/docs`],
    ['API reference', `${localUrl(ports.api)}/docs/api`],
    ...(isExternal.inbox(settings)
      ? []
      : [['Inbox', `${localUrl(ports.inbox)}  (phones and mailboxes)`] as [string, string]]),
    ...(isExternal.temporal(settings) ? [] : [['Temporal UI', localUrl(ports.temporalUi)] as [string, string]]),
    ['Flows', `${localUrl(ports.api)}/flows  (versions, runs and their paths)`],
    ['Access token', `${isDefault ? '' : `DATA_DIR=${quote(dataDir)} `}npm run -s token`],
    ['Data and logs', relative(root, dataDir).startsWith('..') ? dataDir : relative(root, dataDir)],
  ];
  const lines = rows.map(([name, value]) => `  ${name.padEnd(14)} ${value}`);
  return `\nCountersign is ready after ${(durationMs / 1_000).toFixed(1)} s. Ctrl-C stops it.\n\n${lines.join('\n')}\n`;
}
