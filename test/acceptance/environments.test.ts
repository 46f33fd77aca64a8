import { testDestinations, testDocuments } from '../../messages/test-mode';
import { waitUntil } from '../support/wait-until';
import { type DeployedStack, runProcess, shareDeployedStack } from './support/deployed-stack';
import { newPerson } from './support/new-person';

/**
 * Alone, each test takes less than 10 s. In `npm test`, other suites use most of the CPU at the same time, so a test can take much longer.
 */
const testTimeoutMs = 90_000;

/** Test values. In test mode, they have fixed outcomes. In production, their messages go to the provider, which is the inbox here. */
const { valid, yes } = testDestinations;

async function createTransaction({ api }: DeployedStack, changes: object): Promise<string> {
  return api.createTransaction({ ...newPerson().body, ...changes });
}

/** The fields of a person with the phone and the mailbox of a test value. */
const withTestContact = ({ phone, mailbox }: { phone: string; mailbox: string }) => ({
  email: mailbox,
  phone: { countryCode: 55, areaCode: 11, number: Number(phone.slice('+5511'.length)) },
});

async function validate({ api }: DeployedStack, path: string, value: string): Promise<string> {
  const { body } = await api.post(`${path}/tokens/validate`, { body: { value } });
  return (body as { status: string }).status;
}

describe('in production', () => {
  const getStack = shareDeployedStack('production');

  describe.each(['api', 'worker'] as const)('another %s', (name) => {
    it(
      'the process does not start in production with test mode',
      async () => {
        const { code, output } = await runProcess(getStack(), name, { TEST_MODE: 'true' });
        expect(code).toBe(1);
        expect(output).toContain('TEST_MODE: must not be true with COUNTERSIGN_ENV=production');
      },
      testTimeoutMs,
    );

    it.each(['homologation', 'local'])(
      'the process does not start as %s on the database of production',
      async (environment) => {
        const { code, output } = await runProcess(getStack(), name, { COUNTERSIGN_ENV: environment });
        expect(code).toBe(1);
        expect(output).toContain(`this database belongs to the environment production, not ${environment}`);
      },
      testTimeoutMs,
    );
  });

  it('a test phone and a test mailbox are treated like all others: their code is secret and sent to the provider', async () => {
    const path = await createTransaction(getStack(), withTestContact(valid));
    const sent = [
      ['sms', valid.phone, 'sms'],
      ['emails', valid.mailbox, 'email'],
    ] as const;
    for (const [prefix, address, channel] of sent) {
      expect((await getStack().api.post(`${path}/${prefix}/tokens`)).status).toBe(201);
      expect(await validate(getStack(), `${path}/${prefix}`, '000000')).toBe('Invalid');
      const code = await getStack().inbox.waitForCode(address, channel);
      expect(await validate(getStack(), `${path}/${prefix}`, code)).toBe('Valid');
    }
  });

  it.each([testDocuments.highScore, testDocuments.lowScore])(
    'a test document gets an ordinary score: %o',
    async ({ document }) => {
      const path = await createTransaction(getStack(), { document });
      const { scores, insights } = await getStack().api.getAll(path);
      expect(scores[0]?.value).toBeGreaterThan(0);
      expect(scores[0]?.value).toBeLessThan(100);
      // In test mode, a test document has insights whose codes begin with XT.
      expect(insights.filter(({ code }) => code.startsWith('XT'))).toEqual([]);
    },
  );

  it('no answer has the header of test mode', async () => {
    const { headers } = await getStack().api.get('/v1/transactions?limit=1');
    expect(headers.has('x-countersign-test-mode')).toBe(false);
  });
});

describe('in homologation', () => {
  const getStack = shareDeployedStack('homologation');

  it(
    'a test phone and a test mailbox have their fixed outcomes, and no provider gets a message for them',
    async () => {
      const { api, inbox } = getStack();
      const path = await createTransaction(getStack(), withTestContact(yes));
      const suffixes = ['sms/tokens', 'emails/tokens', 'sms/2fa', 'whatsapps/2fa', 'emails/2fa'];
      for (const suffix of suffixes) expect((await api.post(`${path}/${suffix}`)).status).toBe(201);
      for (const prefix of ['sms', 'emails'])
        expect(await validate(getStack(), `${path}/${prefix}`, '000000')).toBe('Valid');
      for (const suffix of suffixes.filter((one) => one.endsWith('2fa')))
        await waitUntil(async () => {
          const [newest] = (await api.get(`${path}/${suffix}`)).body as { status: string }[];
          return newest?.status === 'Replied';
        }, 20_000);
      expect([...(await inbox.readMessages(yes.phone)), ...(await inbox.readMessages(yes.mailbox))]).toEqual([]);
    },
    testTimeoutMs,
  );

  it('an ordinary phone works as in production', async () => {
    const { api, inbox } = getStack();
    const person = newPerson();
    const path = await api.createTransaction(person.body);
    expect((await api.post(`${path}/sms/tokens`)).status).toBe(201);
    const code = await inbox.waitForCode(person.phone, 'sms');
    expect(await validate(getStack(), `${path}/sms`, '000000')).toBe('Invalid');
    expect(await validate(getStack(), `${path}/sms`, code)).toBe('Valid');
  });

  it(
    'a worker of the environment production does not start on the database of homologation',
    async () => {
      const { code, output } = await runProcess(getStack(), 'worker', {});
      expect(code).toBe(1);
      expect(output).toContain('this database belongs to the environment homologation, not production');
    },
    testTimeoutMs,
  );
});
