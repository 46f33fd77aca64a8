import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runFlow, type CommandContext } from '../../../dev/flow/main';
import type { Simulation } from '../../../dev/flow/timeline';
import { smsTokenFlow } from '../../../flows/sms-token.flow';

/** Deleted at the end. */
export const folder = mkdtempSync(join(tmpdir(), 'countersign-flow-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

export const example = 'flows/examples/phone-only.flow.ts';

/**
 * A result without a workflow: a person who enters a code is confirmed, and no webhook is called. Other paths are those
 * that the scenario expects. test/flows/examples.test.ts runs the real workflow.
 */
export const fixedSimulation: Simulation = {
  async run({ name, version }, { person, expect }) {
    const outcome = person.some(({ action }) => action.does === 'enters') ? 'Confirmed' : 'Expired';
    const unusedSteps = person.filter(({ topic }) => topic === 'webhook').map(({ text }) => text);
    const timeline = { flow: name, version, entries: [], path: [], outcome, seconds: 1, sends: 1, unusedSteps };
    return expect?.path ? { ...timeline, ...expect, unusedSteps: [] } : timeline;
  },
};

/** The output of a command, its exit code, and the number of stopped simulations. */
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

/** The body of PUT, without a version. */
export const json = (name: string, changes: object = {}): string =>
  file(name, JSON.stringify({ ...smsTokenFlow, version: undefined, ...changes }));

/** Creates a subfolder of the test folder and returns its path. */
export function innerFolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}
