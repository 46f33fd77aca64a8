import { relative, resolve } from 'node:path';
import { isExternal, type StackSettings } from './settings';

/** Quoted for a shell. */
const quoted = (text: string) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`);

/** The addresses and commands that `npm start` prints when the stack is ready. */
export function startupMessage(settings: StackSettings, tookMs: number): string {
  const { ports, publicUrl, dataDir, root } = settings;
  const local = (port: number) => `http://127.0.0.1:${port}`;
  const isDefault = dataDir === resolve(root, '.data');
  const rows: [string, string][] = [
    ['API', publicUrl],
    ['Documents', `${local(ports.api)}/docs`],
    ...(isExternal.inbox(settings)
      ? []
      : [['Inbox', `${local(ports.inbox)}  (phones and mailboxes)`] as [string, string]]),
    ...(isExternal.temporal(settings) ? [] : [['Temporal UI', local(ports.temporalUi)] as [string, string]]),
    ['Flows', `${local(ports.api)}/flows  (versions, runs and their paths)`],
    ['Access token', `${isDefault ? '' : `DATA_DIR=${quoted(dataDir)} `}npm run -s token`],
    ['Data and logs', relative(root, dataDir).startsWith('..') ? dataDir : relative(root, dataDir)],
  ];
  const lines = rows.map(([name, value]) => `  ${name.padEnd(14)} ${value}`);
  return `\nCountersign is ready after ${(tookMs / 1_000).toFixed(1)} s. Ctrl-C stops it.\n\n${lines.join('\n')}\n`;
}
