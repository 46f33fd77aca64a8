import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runFlow, type CommandContext } from '../../../dev/flow/main';
import type { Simulation } from '../../../dev/flow/timeline';
import { smsTokenFlow } from '../../../flows/sms-token.flow';

export const exampleFile = 'flows/examples/phone-only.flow.ts';

/**
 * A simulation without a workflow. A person who enters a code is confirmed, and no webhook is called. If the scenario expects a path, the
 * result has this path. test/flows/examples.test.ts runs the real workflow.
 */
export const fixedSimulation: Simulation = {
  async run({ name, version }, { person, expect }) {
    const outcome = person.some(({ action }) => action.does === 'enters') ? 'Confirmed' : 'Expired';
    const unusedScriptedSteps = person.filter(({ topic }) => topic === 'webhook').map(({ text }) => text);
    const timeline = {
      flowName: name,
      version,
      entries: [],
      path: [],
      outcome,
      seconds: 1,
      sends: 1,
      unusedScriptedSteps,
      rejectedScriptedSteps: [],
    };
    return expect?.path ? { ...timeline, ...expect, unusedScriptedSteps: [] } : timeline;
  },
};

/** Returns the output, exit code and number of stopped simulations. */
export async function runCommand(args: readonly string[], context: Partial<CommandContext> & { tty?: boolean } = {}) {
  const output = { out: '', err: '' };
  let stoppedSimulations = 0;
  const code = await runFlow(args, {
    stdout: { write: (text) => (output.out += text), isTTY: context.tty ?? false },
    stderr: { write: (text) => (output.err += text) },
    env: {},
    simulate: async () => ({ ...fixedSimulation, stop: async () => void (stoppedSimulations += 1) }),
    ...context,
  });
  return { code, ...output, stoppedSimulations };
}

/** A folder for the files of a suite, with functions that write into it. The folder is deleted after the suite. */
export function openFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-flow-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const writeFile = (name: string, text: string | Uint8Array): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  /** Writes a body of PUT, which has no version. */
  const writeFlow = (name: string, changes: object = {}): string =>
    writeFile(name, JSON.stringify({ ...smsTokenFlow, version: undefined, ...changes }));
  const makeSubfolder = (name: string): string => {
    const path = join(folder, name);
    mkdirSync(path);
    return path;
  };
  return { folder, writeFile, writeFlow, makeSubfolder };
}
