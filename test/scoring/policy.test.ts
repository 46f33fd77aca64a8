import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { parsePolicy, PolicyError } from '../../scoring/policy/parse-policy';
import { openPolicies } from '../../scoring/policy/policies';
import { catalogue } from '../../domain/scoring/score';
import { defaultPolicy } from '../../domain/scoring/policy';
import { ruleId } from '../../domain/scoring/rule';

const example = readFileSync(path.join(__dirname, '..', '..', 'docs', 'examples', 'policy.json'), 'utf8');

type Json = Record<string, unknown>;
const policyWith = (changes: Json) => JSON.stringify({ ...(JSON.parse(example) as Json), ...changes });
const withPoints = (points: Json) => policyWith({ points });
const withThresholds = (thresholds: Json) => policyWith({ thresholds: { ...defaultPolicy.thresholds, ...thresholds } });

function issuesOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof PolicyError) return error.issues;
    throw error;
  }
  return [];
}

describe('a policy', () => {
  it('the policy in the example file equals the built-in policy', () => {
    expect(parsePolicy(example, 'policy.json')).toStrictEqual(defaultPolicy);
  });

  it('a policy is plain JSON without negative zeros', () => {
    const policy = parsePolicy(withPoints({ 'DC001.Negativo': -25, 'PH003.Neutro': 0 }).replace(':0', ':-0'), 'a.json');
    expect(Object.is(policy.points['PH003.Neutro'], 0)).toBe(true);
    expect(JSON.parse(JSON.stringify(policy))).toStrictEqual(policy);
  });

  it('a policy may list only some rules, and codes of a bureau', () => {
    const points = { 'CF001.Positivo': 0.29, 'XA001.Negativo': -100, 'XB999.Neutro': 0 };
    expect(parsePolicy(withPoints(points), 'a.json').points).toEqual(points);
  });

  const twoDecimalsMessage = (low: number, high: number) =>
    `must be a number from ${low} to ${high} with at most two decimals`;
  const countMessage = 'must be a whole number from 2 to 50; an assessment never counts more than 50';
  const bureauCodeMessage =
    'must be a code of a bureau: X, a letter and three digits, then its relevance, such as XA001.Negativo';
  const positiveMessage = 'must be 0 or above, so that better evidence never lowers a score';
  const negativeMessage = 'must be 0 or below, so that worse evidence never raises a score';

  it.each([
    ['a list', '[]', 'must be one object with version, base, points, bureau, thresholds and history'],
    ['without a version', policyWith({ version: undefined }), 'version: is missing; it must be a text'],
    [
      'with spaces in its version',
      policyWith({ version: 'of May' }),
      'version: must be 1 to 64 visible characters of ASCII without spaces',
    ],
    [
      'with a long version',
      policyWith({ version: 'v'.repeat(65) }),
      'version: must be 1 to 64 visible characters of ASCII without spaces',
    ],
    ['with a high base', policyWith({ base: 101 }), `base: ${twoDecimalsMessage(0, 100)}`],
    [
      'with an unknown rule',
      withPoints({ 'PH009.Negativo': -1 }),
      'points.PH009.Negativo: is not a rule; did you mean PH001.Negativo?',
    ],
    [
      'with a wrong relevance of a rule',
      withPoints({ 'PH002.Positivo': 1 }),
      'points.PH002.Positivo: is not a rule; did you mean PH002.Negativo?',
    ],
    [
      'with a rule in small letters',
      withPoints({ 'dc001.negativo': -1 }),
      'points.dc001.negativo: is not a rule; did you mean DC001.Negativo?',
    ],
    ['with a rule that has no similar name', withPoints({ weather: 1 }), 'points.weather: is not a rule; remove it'],
    [
      'with text after the code of a bureau',
      withPoints({ 'XA001.Negativo.x': -1 }),
      `points.XA001.Negativo.x: ${bureauCodeMessage}`,
    ],
    [
      'with a short code of a bureau',
      withPoints({ 'XA01.Negativo': -1 }),
      `points.XA01.Negativo: ${bureauCodeMessage}`,
    ],
    [
      'with points as text',
      withPoints({ 'DC001.Negativo': '-25' }),
      `points.DC001.Negativo: ${twoDecimalsMessage(-100, 100)}`,
    ],
    [
      'with points of three decimals',
      withPoints({ 'CF001.Positivo': 0.125 }),
      `points.CF001.Positivo: ${twoDecimalsMessage(-100, 100)}`,
    ],
    [
      'with points beyond the limits',
      withPoints({ 'CF001.Positivo': 100.01 }),
      `points.CF001.Positivo: ${twoDecimalsMessage(-100, 100)}`,
    ],
    [
      'with infinite points',
      example.replace(': 20,', ': 1e999,'),
      `points.CF001.Positivo: ${twoDecimalsMessage(-100, 100)}`,
    ],
    [
      'that lowers the score for a positive finding',
      withPoints({ 'CF001.Positivo': -1 }),
      `points.CF001.Positivo: ${positiveMessage}`,
    ],
    [
      'that raises the score for a negative finding',
      withPoints({ 'CF003.Negativo': 1 }),
      `points.CF003.Negativo: ${negativeMessage}`,
    ],
    [
      'that adds points for one negative finding of a bureau',
      withPoints({ 'XA001.Negativo': 1 }),
      `points.XA001.Negativo: ${negativeMessage}`,
    ],
    [
      'with points for a neutral finding',
      withPoints({ 'PH003.Neutro': 1 }),
      'points.PH003.Neutro: must be 0: a neutral finding does not change the score',
    ],
    ['without points', policyWith({ points: undefined }), 'points: is missing; it must be an object of points by rule'],
    [
      'that adds points for all negative findings of a bureau',
      policyWith({ bureau: { Positivo: 5, Negativo: 1 } }),
      `bureau.Negativo: ${twoDecimalsMessage(-100, 0)}`,
    ],
    [
      'without the points for negative findings of a bureau',
      policyWith({ bureau: { Positivo: 5 } }),
      `bureau.Negativo: is missing; it ${twoDecimalsMessage(-100, 0)}`,
    ],
    [
      'without a threshold',
      withThresholds({ ageMin: undefined }),
      'thresholds.ageMin: is missing; it must be a whole number from 0 to 150',
    ],
    [
      'with a threshold of fewer than two documents',
      withThresholds({ sharedByDocuments: 1 }),
      `thresholds.sharedByDocuments: ${countMessage}`,
    ],
    [
      'with a threshold above 50, the most that an assessment counts',
      withThresholds({ contactsOfDocument: 51 }),
      `thresholds.contactsOfDocument: ${countMessage}`,
    ],
    [
      'with too many days',
      withThresholds({ sharedWithinDays: 366 }),
      'thresholds.sharedWithinDays: must be a whole number from 1 to 365',
    ],
    [
      'with a number of days that is not whole',
      withThresholds({ sharedWithinDays: 1.5 }),
      'thresholds.sharedWithinDays: must be a whole number from 1 to 365',
    ],
    [
      'with a mailbox similarity of 1',
      withThresholds({ mailboxResembles: 1 }),
      `thresholds.mailboxResembles: ${twoDecimalsMessage(0.01, 0.99)}`,
    ],
    [
      'with overlapping thresholds for the similarity of names',
      withThresholds({ ownerNameOther: 0.95 }),
      'thresholds.ownerNameOther: must be at most ownerNameSame: otherwise one name could count both as the name of the person and as another name',
    ],
    [
      'with age thresholds that accept no age',
      withThresholds({ ageMax: 18 }),
      'thresholds.ageMin: must be below ageMax: otherwise no age would be accepted',
    ],
    [
      'with an unknown threshold',
      withThresholds({ agemin: 16 }),
      'thresholds.agemin: is not a setting; did you mean ageMin?',
    ],
    ['with an unknown setting', policyWith({ colour: 'red' }), 'colour: is not a setting; remove it'],
    ['with an unknown history', policyWith({ history: 'all' }), 'history: must be "own" or "shared"'],
    [
      'with a key twice',
      example.replace('"base": 50', '"base": 50, "b\\u0061se": 40'),
      'base: is a duplicate; keep one',
    ],
    [
      'with a rule twice',
      example.replace('"CF001.Positivo": 20', '"CF001.Positivo": 20, "CF001.Positivo": 2'),
      'points.CF001.Positivo: is a duplicate; keep one',
    ],
    [
      'with the key __proto__',
      example.replace('"points": {', '"points": { "__proto__": 5,'),
      'points.__proto__: is not a setting; remove it',
    ],
  ])('an invalid policy (%s) is rejected with a message about the mistake', (_, text, issue) => {
    expect(issuesOf(() => parsePolicy(text, 'acme.json'))).toEqual([`acme.json: ${issue}`]);
  });

  it('a policy that is not JSON is rejected with the position', () => {
    expect(() => parsePolicy('{ "base": }', 'acme.json')).toThrow(/acme\.json: is not JSON: .*\}/);
  });

  it('a policy is rejected with all its issues at once', () => {
    const text = JSON.stringify({
      base: -1,
      points: { 'ZZ000.Negativo': 1, 'CF003.Negativo': 1 },
      thresholds: { ...defaultPolicy.thresholds, ageMax: 3, ownerNameOther: 1, sharedWithinDays: 'month' },
    });
    expect(issuesOf(() => parsePolicy(text, 'a.json')).map((issue) => issue.split(': ')[1])).toEqual([
      'version',
      'base',
      'points.ZZ000.Negativo',
      'points.CF003.Negativo',
      'bureau',
      'thresholds.sharedWithinDays',
      'thresholds.ownerNameOther',
      'thresholds.ageMin',
      'history',
    ]);
  });

  it('a policy is accepted only if the points of each rule have an allowed sign and size', () => {
    const ids = [...catalogue.map((rule) => ruleId(rule)), 'XA001.Positivo', 'XA001.Neutro', 'XA001.Negativo'];
    const cents = fc.oneof(fc.constant(0), fc.integer({ min: -10_000, max: 10_000 }), fc.constantFrom(-10_001, 10_001));
    const anyPointsFor = (id: string, value: number) =>
      fc.oneof(
        {
          weight: 15,
          arbitrary: fc.constant(id.endsWith('Neutro') ? 0 : Math.abs(value) * (id.endsWith('Positivo') ? 1 : -1)),
        },
        { weight: 1, arbitrary: fc.constant(value) },
      );
    const anyEntry = fc
      .tuple(fc.constantFrom(...ids), cents)
      .chain(([id, value]) => anyPointsFor(id, value).map((points) => [id, points / 100] as const));
    const isValid = ([id, value]: readonly [string, number]) =>
      Math.abs(value) <= 100 &&
      (id.endsWith('Positivo') ? value >= 0 : id.endsWith('Negativo') ? value <= 0 : value === 0);
    let acceptedCount = 0;
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 6 }), (entries) => {
        const points: Record<string, number> = Object.fromEntries(entries);
        const issues = issuesOf(() => parsePolicy(withPoints(points), 'a.json'));
        const invalidEntries = Object.entries(points).filter((each) => !isValid(each));
        expect(issues.map((issue) => issue.split(': ')[1])).toEqual(invalidEntries.map(([id]) => `points.${id}`));
        acceptedCount += invalidEntries.length === 0 ? 1 : 0;
      }),
      { numRuns: 500 },
    );
    expect(acceptedCount).toBeGreaterThan(50);
  });
});

describe('the policies of a folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'countersign-policies-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const writePolicy = (name: string, text: string) => writeFileSync(path.join(folder, name), text);

  it('the built-in policy applies if no folder is configured', () => {
    expect(openPolicies(undefined).policyFor('acme')).toBe(defaultPolicy);
  });

  it('a policy applies to its tenant, and the default policy applies to all other tenants', () => {
    writePolicy('acme.json', policyWith({ version: 'of-acme' }));
    writePolicy('default.json', policyWith({ version: 'of-all' }));
    writePolicy('README.md', 'Ours.');
    const policies = openPolicies(folder);
    expect(policies.policyFor('acme').version).toBe('of-acme');
    expect(policies.policyFor('other').version).toBe('of-all');
  });

  it('without a default policy, other tenants get the built-in policy', () => {
    writePolicy('acme.json', policyWith({ version: 'of-acme' }));
    expect(openPolicies(folder).policyFor('other')).toBe(defaultPolicy);
  });

  it('the file of a policy may start with a byte order mark', () => {
    writePolicy('acme.json', `\uFEFF${policyWith({ version: 'marked' })}`);
    expect(openPolicies(folder).policyFor('acme').version).toBe('marked');
  });

  it('a policy is rejected for duplicate keys, however far apart they are', () => {
    writePolicy('acme.json', example.replace('{', `{ "base"${' '.repeat(500)}: 90,`));
    expect(() => openPolicies(folder)).toThrow('base: is a duplicate');
  });

  it('the file of a policy may be a symbolic link, as in a mounted configuration', () => {
    mkdirSync(path.join(folder, '..data'));
    writePolicy('..data/acme.json', policyWith({ version: 'of-acme' }));
    symlinkSync('..data/acme.json', path.join(folder, 'acme.json'));
    expect(openPolicies(folder).policyFor('acme').version).toBe('of-acme');
  });

  it('the files of policies are read only once, when the policies are opened', () => {
    writePolicy('acme.json', policyWith({ version: 'before' }));
    const policies = openPolicies(folder);
    writePolicy('acme.json', policyWith({ version: 'after' }));
    expect(policies.policyFor('acme').version).toBe('before');
    expect(policies.versions).toEqual({ default: defaultPolicy.version, acme: 'before' });
  });

  it.each(['../outside', '..', 'constructor', '__proto__', 'inner/acme', ''])(
    'no policy of the folder is applied to a tenant with the name %j',
    (tenant) => {
      mkdirSync(path.join(folder, 'inner'));
      writePolicy('inner/acme.json', policyWith({ version: 'inner' }));
      const innerFolder = path.join(folder, 'inner');
      writePolicy('outside.json', policyWith({ version: 'outside' }));
      expect(openPolicies(innerFolder).policyFor(tenant)).toBe(defaultPolicy);
    },
  );

  it('policies are rejected with all issues of all files', () => {
    writePolicy('acme.json', policyWith({ base: 200, history: 'all' }));
    writePolicy('beta.json', 'no');
    writePolicy('Gamma.JSON', example);
    mkdirSync(path.join(folder, 'delta.json'));
    writePolicy('good.json', example);
    const issues = issuesOf(() => openPolicies(folder));
    expect(issues.map((issue) => issue.split(/: | \(/).slice(0, 2))).toEqual([
      [
        'Gamma.JSON',
        'is not <tenant>.json or default.json; the name of a tenant has only lower-case letters, digits and hyphens',
      ],
      ['acme.json', 'base'],
      ['acme.json', 'history'],
      ['beta.json', 'is not JSON'],
      ['delta.json', 'is not a file'],
    ]);
  });

  it('policies are rejected when their folder does not exist', () => {
    expect(() => openPolicies(path.join(folder, 'none'))).toThrow(
      /none: cannot be read \(ENOENT\); set SCORING_POLICIES/,
    );
  });
});
