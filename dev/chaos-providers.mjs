import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError, root, runCommand, stopOnSignal } from './install/command.mjs';
import { prepareStack } from './install/prepare-stack.mjs';
import { requireTypescript } from './install/require-typescript.mjs';

const usage = `Usage: npm run chaos -- --providers [--messages 400] [--kills 20] [--seed N] [--reconcile false]

Sends codes by SMS while two providers, Twilio and the gateway Infobip, fail in turn, and the worker is killed. Checks that each person gets
one code, and in time. A provider is down, slow, answers late or not at all, refuses the account, or sends its receipts twice or never.

  --messages N        codes, each to another phone. Half of them with Twilio as the first provider, half with Infobip (default: 400)
  --kills N           how many times the worker is killed, half of them after a provider has accepted a message, and before the worker
                      gets the answer (default: 20)
  --seed N            repeats the faults of an earlier run: their kinds, order and durations
  --reconcile false   a message without an answer is sent again, without a search for it. This must double messages
`;

function readOptions() {
  const options = {
    providers: { type: 'boolean' },
    messages: { type: 'string', default: '400' },
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(randomInt(1_000_000)) },
    reconcile: { type: 'string', default: 'true' },
  };
  try {
    const { values } = parseArgs({ options });
    const [messages, kills, seed] = [values.messages, values.kills, values.seed].map(Number);
    if ([messages, kills, seed].every((value) => Number.isInteger(value) && value >= 0) && messages > 1)
      if (['true', 'false'].includes(values.reconcile))
        return { messages, kills, seed, reconcile: values.reconcile === 'true' };
  } catch {
    // As for an invalid number: the usage says what is right.
  }
  throw new CommandError(usage);
}

await runCommand(async () => {
  const plan = readOptions();
  await prepareStack();
  const { interruptProviders, runProviders } = requireTypescript(
    join(root, 'test', 'faults', 'providers', 'run-providers.ts'),
  );
  stopOnSignal(interruptProviders);
  process.exitCode = (await runProviders(plan, process.stdout)) ? 0 : 1;
}, usage);
