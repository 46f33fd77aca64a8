import { randomBytes } from 'node:crypto';
import { hasRightCheckDigits } from '../../domain/transactions/input';
import { deriveCode, digestCorrectCode, digestTypedCode } from '../../messages/codes';
import { ConfigurationError } from '../../platform/config';
import { openKeysOfEnvironment } from '../../platform/keys/root-secret';
import { createServiceKeys } from '../../platform/keys/service-keys';
import { createLogger } from '../../platform/logger';
import { phoneRangeOf } from '../../messages/phone-numbers';
import { openPool, type Pool } from '../../platform/postgres/postgres';
import {
  openTestMode,
  type TestDestination,
  testDestinations,
  testDocuments,
  withTestMode,
} from '../../messages/test-mode';
import { startPostgres, type TestPostgres } from '../support/postgres';

const destinations: TestDestination[] = Object.values(testDestinations);
const addresses = destinations.flatMap(({ phone, mailbox }) => [phone, ...(mailbox ? [mailbox] : [])]);
const serviceKeys = createServiceKeys(randomBytes(32).toString('base64'), []);

describe('test values', () => {
  it('test values have the format of real ones', () => {
    expect(destinations.map(({ phone }) => phoneRangeOf(phone)?.prefix)).toEqual(destinations.map(() => '+551190000'));
    for (const { document } of Object.values(testDocuments)) expect(hasRightCheckDigits('CPF', document)).toBe(true);
  });

  it('test values are found in every spelling, and other values are not found', () => {
    const testMode = openTestMode({ COUNTERSIGN_ENV: 'homologation', TEST_MODE: undefined });
    expect(addresses.map((address) => testMode?.findDestination(address)?.phone)).not.toContain(undefined);
    expect(testMode?.findDestination('Yes+order17@Countersign.TEST')).toBe(testDestinations.yes);
    expect(testMode?.findDocument('000.000.001-91')).toBe(testDocuments.highScore);
    for (const other of ['+5511900000010', '+5511987654321', 'valid@countersign.test.com', 'valid@example.com', ''])
      expect([testMode?.findDestination(other), testMode?.findDocument(other)]).toEqual([undefined, undefined]);
  });

  it.each([
    ['production', undefined, false],
    ['production', 'true', false],
    ['homologation', undefined, true],
    ['homologation', 'false', false],
    ['local', undefined, true],
  ] as const)('test values exist in %s with TEST_MODE=%s: %s', (COUNTERSIGN_ENV, TEST_MODE, exist) => {
    expect(openTestMode({ COUNTERSIGN_ENV, TEST_MODE }) !== undefined).toBe(exist);
  });
});

describe('the keys of an environment', () => {
  let postgres: TestPostgres;
  let pool: Pool;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  beforeEach(async () => {
    pool = openPool(await postgres.createDatabase(), createLogger('test', 'silent'), 2);
  });
  afterEach(() => pool.end());
  afterAll(() => postgres.stop());

  /** The keys of a process with these settings. */
  const open = async (COUNTERSIGN_ENV: 'production' | 'homologation' | 'local', TEST_MODE?: 'true' | 'false') => {
    const keys = await openKeysOfEnvironment(pool, serviceKeys, COUNTERSIGN_ENV);
    const usual = { keys, logger: createLogger('test', 'silent') };
    return withTestMode({ COUNTERSIGN_ENV, TEST_MODE }, usual, (_, dependencies) => dependencies).keys;
  };

  it('every test phone and mailbox has the code 000000 in homologation', async () => {
    const keys = await open('homologation');
    for (const destination of addresses) expect(deriveCode(keys, 'a', 'b', 6, destination)).toBe('000000');
    expect(deriveCode(keys, 'a', 'b', 8, addresses[0])).toBe('00000000');
    expect(deriveCode(keys, 'a', 'b', 6, '+5511987654321')).toBe(deriveCode(keys, 'a', 'b'));
  });

  it('test phones and mailboxes have no fixed code in production, whatever the other settings are', async () => {
    const keys = await open('production', 'true');
    for (const destination of addresses) {
      expect(deriveCode(keys, 'a', 'b', 6, destination)).toBe(deriveCode(keys, 'a', 'b'));
      const correct = digestCorrectCode(keys, 'a', 'b', { name: 'sms-token', codeDigits: 10, destination });
      expect(correct).not.toBe(digestTypedCode(keys, 'a', 'sms-token', '0000000000'));
    }
  });

  it.each([
    ['production', 'homologation'],
    ['production', 'local'],
    ['homologation', 'production'],
    ['local', 'production'],
  ] as const)('the keys are not opened in %s if the database belongs to %s', async (environment, owner) => {
    await open(owner);
    await expect(open(environment)).rejects.toThrow(
      new ConfigurationError(
        `COUNTERSIGN_ENV: this database belongs to the environment ${owner}, not ${environment}. Use another database. See docs/test-mode.md#why-production-is-safe.`,
      ),
    );
    await expect(open(owner)).resolves.toBeDefined();
  });

  it('a database belongs to one environment, even if processes of two environments start at the same time', async () => {
    const results = await Promise.allSettled([open('production'), open('homologation')]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});
