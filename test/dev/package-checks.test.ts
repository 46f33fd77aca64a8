import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '..', '..');

describe('the check of packages', () => {
  const readFile = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8')) as Record<string, unknown>;
  const manifest = readFile('package.json');
  const lock = readFile('package-lock.json') as { packages: Record<string, object> };

  const issuesOf = (changedManifest: object, changedLock: object): string[] => {
    const program = `import { packageIssues } from './dev/install/package-issues.mjs';
      import { readFileSync } from 'node:fs';
      console.log(JSON.stringify(packageIssues(...JSON.parse(readFileSync(0, 'utf8')))));`;
    const input = JSON.stringify([changedManifest, changedLock]);
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: root, input });
    return JSON.parse(output.toString()) as string[];
  };
  const withEntry = (entry: object) => ({ packages: { ...lock.packages, 'node_modules/bad': entry } });
  const good = { version: '1.0.0', integrity: 'sha512-x', license: 'MIT' };

  test.each([['package.json'], ['bench/peers/package.json']])('the check of packages accepts %s', (file) =>
    expect(issuesOf(readFile(file), readFile(file.replace('package', 'package-lock')))).toEqual([]),
  );

  test.each<[string, object, object, string]>([
    ['a range of versions', { ...manifest, dependencies: { bad: '^1.0.0' } }, lock, 'exact version'],
    ['a missing hash', manifest, withEntry({ ...good, integrity: undefined }), 'no hash'],
    ['a weak hash', manifest, withEntry({ ...good, integrity: 'sha1-x' }), 'weak hash'],
    ['another source', manifest, withEntry({ ...good, resolved: 'git+ssh://example.com/bad.git' }), 'comes from'],
    ['an unknown licence', manifest, withEntry({ ...good, license: 'AGPL-3.0-only' }), 'licence AGPL'],
    [
      'a package of the product with a licence that is allowed only for development tools',
      manifest,
      withEntry({ ...good, license: 'WTFPL' }),
      'licence WTFPL',
    ],
    ['an install script', manifest, withEntry({ ...good, hasInstallScript: true }), 'install script'],
  ])('the check of packages rejects %s', (_, changedManifest, changedLock, issue) => {
    expect(issuesOf(changedManifest, changedLock)).toEqual([expect.stringContaining(issue)]);
  });
});

describe('the search for secrets', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-secrets-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Invented secrets, in parts, so that the search does not find them in this file. */
  const secrets = {
    'private key': [
      '-----BEGIN RSA PRIVATE',
      ` KEY-----\n${'MIIEowIBAAKCAQEA'.repeat(8)}\n-----END RSA PRIVATE KEY-----`,
    ],
    'AWS key': ['aws_secret_access_key = ', 'wJalrXUtnFEMIK7MDENGbPxRfiCYzzzzzzKEYabc'],
    'database password': ['postgres://admin:', 'Zq81kd02Lw@db.example.com/main'],
    'service key': ['SERVICE_KEY=', 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG='],
    'webhook secret': ['whsec_', 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG='],
    'client secret': ['"clientSecret": ', `"${'0a1b2c3d'.repeat(6)}"`],
    'Twilio auth token': ['TWILIO_AUTH_TOKEN=', '0a1b2c3d'.repeat(4)],
    none: ['SERVICE_KEY=\n', 'clientSecret: the secret of acme'],
  };

  test('the search for secrets finds every kind of secret in files, and accepts a file without a secret', () => {
    const files = Object.entries(secrets).map(([kind, parts]) => {
      const file = join(folder, `${kind.replaceAll(' ', '-')}.txt`);
      writeFileSync(file, parts.join(''));
      return file;
    });
    const program = join(root, 'node_modules', 'secretlint', 'bin', 'secretlint.js');
    const options = ['--secretlintrc', join(root, '.secretlintrc.json'), '--format', 'json', ...files];
    const { status, stdout } = spawnSync(process.execPath, [program, ...options], { cwd: folder, encoding: 'utf8' });
    const found = (JSON.parse(stdout) as { filePath: string; messages: object[] }[]).flatMap(
      ({ filePath, messages }) => (messages.length > 0 ? [filePath] : []),
    );
    expect(status).toBe(1);
    expect(found.toSorted()).toEqual(files.filter((file) => !file.endsWith('none.txt')).toSorted());
  });
});

describe('whether the packages of the lock file are installed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-packages-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const entry = (version: string, other: object = {}) => ({ version, integrity: `sha512-${version}`, ...other });
  const locked = {
    '': { name: 'countersign' },
    'node_modules/one': entry('1.0.0'),
    'node_modules/native': entry('1.0.0', { optional: true }),
  };
  const installed = { 'node_modules/one': entry('1.0.0') };

  /** `changedAtS`: when the lock file was changed, in seconds since the epoch. npm has installed the packages at 1,000. */
  function areCurrent(installedText: string, changedAtS: number): boolean {
    const [lockFile, installedFile] = [
      join(folder, 'package-lock.json'),
      join(folder, 'node_modules', '.package-lock.json'),
    ];
    mkdirSync(join(folder, 'node_modules'), { recursive: true });
    writeFileSync(lockFile, JSON.stringify({ packages: locked }));
    writeFileSync(installedFile, installedText);
    utimesSync(lockFile, changedAtS, changedAtS);
    utimesSync(installedFile, 1_000, 1_000);
    const program = `import { packagesAreCurrent } from './dev/install/install-packages.mjs';
      process.stdout.write(String(packagesAreCurrent(${JSON.stringify(folder)})));`;
    return execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: root }).toString() === 'true';
  }

  test.each([500, 2_000])('equal packages are current, also if the lock file was changed at %d', (changedAtS) => {
    expect(areCurrent(JSON.stringify({ packages: installed }), changedAtS)).toBe(true);
  });

  test.each<[string, string]>([
    ['another version', JSON.stringify({ packages: { 'node_modules/one': entry('2.0.0') } })],
    ['a missing package', JSON.stringify({ packages: {} })],
    ['a package too many', JSON.stringify({ packages: { ...installed, 'node_modules/two': entry('1.0.0') } })],
    ['an incomplete list', '{"packages": {'],
  ])('%s is not current, also if the lock file is older', (_, text) => {
    expect(areCurrent(text, 500)).toBe(false);
  });
});
