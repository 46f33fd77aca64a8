import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runFlow } from '../../../dev/flow/main';
import { simulateOnServer } from '../../../dev/flow/simulation/simulate-on-server';
import { openSkippingServer } from '../../support/servers/open-environment';
import { phoneOnlyFlow } from '../../../flows/examples/phone-only.flow';
import { formatMinutes } from '../../../domain/confirmations/settings';

const folder = mkdtempSync(join(tmpdir(), 'countersign-simulate-'));
let simulation: Awaited<ReturnType<typeof simulateOnServer>>;
beforeAll(async () => {
  simulation = await simulateOnServer(openSkippingServer);
});
afterAll(async () => {
  await simulation.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** As `npm run flow -- simulate`, but with one server for all tests. */
async function simulate(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const output = { out: '', err: '' };
  const code = await runFlow(['simulate', ...args], {
    stdout: { write: (text) => (output.out += text) },
    stderr: { write: (text) => (output.err += text) },
    env: {},
    simulate: async () => ({ run: (...args) => simulation.run(...args), stop: async () => {} }),
  });
  return { code, ...output };
}

test('simulate prints the times of a flow run, its messages in three languages and its end', async () => {
  const person = 'ignores whatsapp; enters a wrong code by sms; enters the code by sms';
  const { code, out, err } = await simulate('flows/examples/whatsapp-first.flow.ts', '--person', person);
  expect([code, err]).toEqual([0, '']);
  const lines = out.split('\n').map((line) => line.trim());
  expect(lines[0]).toBe('whatsapp-first 1');
  // On a busy machine, the first message takes some seconds.
  expect(out).toMatch(/\+\d+s {2}question +sends on WhatsApp\n +pt-BR {2}.+\n(?: .+\n)* +en {5}.+\n(?: .+\n)* +es {5}/);
  expect(out).toMatch(/ +\[SIM\] \[NÃO\]\n(?:.+\n)* +\[YES\] \[NO\]\n(?:.+\n)* +\[SÍ\] \[NO\]\n/);
  expect(out).toMatch(/\+3m\S* .*Expired → sms-code\n/);
  const codes = [...out.matchAll(/\b\d{6}\b/g)].map(([digits]) => digits);
  expect(codes).toHaveLength(3);
  expect(new Set(codes).size).toBe(1);
  expect(out).toMatch(/the person enters a wrong code: Invalid\n/);
  expect(out).toMatch(/the person enters the code: Valid\n/);
  expect(out).toMatch(/Valid → confirmed\n/);
  expect(out).toMatch(/\nThe run ended as Confirmed after 3 min.* with 2 messages\.\n$/);
});

test('simulate prints minutes as a message does: rounded down, but at least 1', async () => {
  const flow = { ...phoneOnlyFlow, version: undefined };
  const file = join(folder, 'short.json');
  const steps = { ...flow.steps, code: { ...flow.steps['code'], expiresAfterSeconds: 150, resendAfterSeconds: 60 } };
  writeFileSync(file, JSON.stringify({ ...flow, steps }));
  const { code, out } = await simulate(file, '--person', 'after 61s asks again by sms; enters the code by sms');
  expect(code).toBe(0);
  expect([...out.matchAll(/good for (.+?)\./g)].map(([, duration]) => duration)).toEqual(['2 min', '1 min']);
  expect([0, 30, 59, 60, 90, 119, 150, 300].map((seconds) => formatMinutes(seconds * 1_000)).join(' ')).toBe(
    '1 1 1 1 1 1 2 5',
  );
});

test('simulate prints the lifetime of a code, five minutes, in each language', async () => {
  const { out } = await simulate('flows/examples/phone-only.flow.ts', '--person', 'enters the code by sms');
  expect([...out.matchAll(/(\d+) min\. (?:Do|Nunca|No) /g)].map(([, minutes]) => minutes)).toEqual(['5', '5', '5']);
});

test.each(['reuse', 'rotate'])(
  'simulate runs every scripted step, also "asks again", with resend: %s',
  async (resend) => {
    const file = join(folder, `${resend}.json`);
    const steps = { ...phoneOnlyFlow.steps, code: { ...phoneOnlyFlow.steps['code'], resend, sendLimit: 3 } };
    writeFileSync(file, JSON.stringify({ ...phoneOnlyFlow, version: undefined, steps }));
    const person =
      'after 70s asks again by sms; enters a wrong code by sms; after 70s asks again by sms; enters the code by sms';
    const { out } = await simulate(file, '--person', person);
    expect(out).toMatch(/a wrong code: Invalid\n(?:.+\n)* +\+2m\S+ +the person enters the code: Valid\n/);
    expect(out).toMatch(/\nThe run ended as Confirmed after .* with 3 messages\.\n$/);
  },
);

test('simulate explains in a sentence why a command is rejected', async () => {
  const person = 'presses 3 on sms; asks again by sms; enters the code by sms';
  const { code, out } = await simulate('flows/examples/phone-only.flow.ts', '--person', person);
  expect(code).toBe(0);
  expect(out).toMatch(
    / "presses 3 on sms" was rejected: there is no open question, or the answer matches none of its replies\n/,
  );
  expect(out).toMatch(/ "asks again by sms" was rejected: [A-Z].* .*\n/);
  expect(out).not.toMatch(/ReplyRefused|ResendTooSoon/);
});

test.each([
  [
    'a code after the expiry, a code on an unused channel, an unused webhook',
    'ignores sms; after 6m enters the code by sms; enters the code by email; webhook refuses',
    'after 6m enters the code by sms; enters the code by email; webhook refuses',
  ],
  ['a step after the end of the confirmation', 'enters the code by sms; ignores sms', 'ignores sms'],
  [
    'a provider that rejects a resend',
    'asks again by sms; provider refuses sms',
    'provider refuses sms',
    'asks again by sms',
  ],
])('simulate lists the unused and the rejected scripted steps at the end: %s', async (_, person, ...steps) => {
  const { code, out } = await simulate('flows/examples/phone-only.flow.ts', '--person', person);
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(
      new RegExp(
        `${['Unused', 'Rejected'].flatMap((kind, index) => (steps[index] ? `\\n${kind} scripted steps: ${steps[index]}\\.` : [])).join('')}\\n$`,
      ),
    ),
  ]);
});
