import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runFlow, type CommandContext } from '../../../dev/flow/main';
import type { Simulation } from '../../../dev/flow/timeline';
import { smsTokenFlow } from '../../../flows/sms-token.flow';

/** Thrown away at the end. */
export const folder = mkdtempSync(join(tmpdir(), 'countersign-flow-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

export const example = 'flows/examples/phone-only.flow.ts';

/**
 * Answers without running a workflow: who enters a code is confirmed, and no webhook is called. Other paths are those that the
 * scenario expects. What flows really do is proven on the server, in test/flows/examples.test.ts.
 */
export const fixedSimulation: Simulation = {
  async run({ name, version }, { person, expect }) {
    const outcome = person.some(({ action }) => action.does === 'enters') ? 'Confirmed' : 'Expired';
    const unusedSteps = person.filter(({ about }) => about === 'webhook').map(({ text }) => text);
    const timeline = { flow: name, version, entries: [], path: [], outcome, seconds: 1, sends: 1, unusedSteps };
    return expect?.path ? { ...timeline, ...expect, unusedSteps: [] } : timeline;
  },
};

/** What a run wrote, its exit code, and how many simulations it stopped. */
export async function flow(args: readonly string[], more: Partial<CommandContext> & { tty?: boolean } = {}) {
  const output = { out: '', err: '' };
  let stopped = 0;
  const code = await runFlow(args, {
    stdout: { write: (text) => (output.out += text), isTTY: more.tty ?? false },
    stderr: { write: (text) => (output.err += text) },
    env: {},
    simulate: async () => ({ ...fixedSimulation, stop: async () => void (stopped += 1) }),
    ...more,
  });
  return { code, ...output, stopped };
}

export function file(name: string, text: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** As PUT takes it: without a version. */
export const json = (name: string, changes: object = {}): string =>
  file(name, JSON.stringify({ ...smsTokenFlow, version: undefined, ...changes }));

/** Makes a folder in the folder of the test, and gives its path. */
export function innerFolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}
