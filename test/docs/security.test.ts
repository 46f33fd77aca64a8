import path from 'node:path';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { settingsLimits } from '../../domain/confirmations/settings';
import { limits } from '../../domain/transactions/limits';
import { readApiConfig } from '../../platform/config';
import { seenWithinSeconds } from '../../platform/postgres/polled-value';
import { openGuide } from '../support/guide';

const root = path.join(__dirname, '..', '..');

test.each(['security.md', 'security-checklists.md'])(
  'every test, benchmark and npm script that %s names exists',
  (guide) => {
    const text = readFileSync(path.join(root, 'docs', guide), 'utf8');
    const files = Array.from(text.matchAll(/`((?:test|bench)\/[\w./-]+)`/g), ([, file = '']) => file);
    expect(files.length).toBeGreaterThan(15);
    expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
    const commands = Array.from(text.matchAll(/`npm run ([\w:-]+)/g), ([, command = '']) => command);
    const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: object };
    expect(commands.filter((command) => !Object.hasOwn(scripts, command))).toEqual([]);
  },
);

test('security.md names every file whose requests see the rows of all tenants', () => {
  const using = ['api', 'store', 'platform', 'activities', 'scoring'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file}`)
      .filter((file) => file.endsWith('.ts') && readFileSync(path.join(root, file), 'utf8').includes(' asService(')),
  );
  const links = Array.from(
    openGuide('security.md')
      .section('all-tenants')
      .matchAll(/\(\.\.\/([^)]+)\)/g),
  );
  expect(new Set(links.map(([, file]) => file))).toEqual(new Set(using));
});

test('the numbers in security.md are the numbers of the code', () => {
  const { guide } = openGuide('security.md', 'security-checklists.md');
  const { ADDRESS_RATE_LIMIT_PER_SECOND, ACCESS_TOKEN_SECONDS } = readApiConfig({
    DATABASE_URL: 'postgres://127.0.0.1/unused',
    SERVICE_KEY: Buffer.alloc(32, 7).toString('base64'),
    TWILIO_ACCOUNT_SID: 'AC00000000000000000000000000000000',
    TWILIO_AUTH_TOKEN: 'unused',
    PUBLIC_URL: 'http://127.0.0.1:3000',
  });
  const numbers: readonly [text: string, number: number][] = [
    ['`ADDRESS_RATE_LIMIT_PER_SECOND` requests per second (by default #)', ADDRESS_RATE_LIMIT_PER_SECOND],
    ['`ACCESS_TOKEN_SECONDS` (by default # hours)', ACCESS_TOKEN_SECONDS / 3_600],
    ['within # seconds after an operator revokes', seenWithinSeconds],
    ['a phone has at most # failed attempts in 24 hours', limits.attemptsPerDestination],
    ['| # to 10 digits |', settingsLimits.codeDigits[0]],
    ['and up to # hours in a flow', settingsLimits.otherLifetimeMs / 3_600_000],
  ];
  for (const [text, number] of numbers) expect(guide).toContain(text.replace('#', String(number)));
  expect(settingsLimits.phoneTokenLifetimeMs).toBeLessThanOrEqual(10 * 60_000);
});

test('security.md names exactly the tables without a column `tenant`', () => {
  const folder = path.join(root, 'platform', 'migrations');
  const sql = readdirSync(folder)
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))
    .join('\n');
  const tables = Array.from(sql.matchAll(/create (?:unlogged )?table (\w+) \(([\s\S]*?)\n\);/g));
  expect(tables.length).toBeGreaterThan(20);
  const withoutTenant = tables
    .filter(([, , columns = '']) => !/^ *tenant /m.test(columns))
    .map(([, name = '']) => name);
  const guide = readFileSync(path.join(root, 'docs', 'security.md'), 'utf8');
  const section = /<!-- tables -->([\s\S]*?)<!-- \/tables -->/.exec(guide)?.[1] ?? '';
  const named = section
    .split('\n')
    .flatMap((row) => Array.from((row.split('|')[1] ?? '').matchAll(/`(\w+)`/g), ([, name = '']) => name));
  expect(named.toSorted()).toEqual(withoutTenant.toSorted());
});
