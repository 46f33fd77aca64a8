import { checkDefinition, checkFlowWithTemplates } from '../../api/flows/checks/check-definition';
import { withChanges, type FlowChanges, validFlow } from '../support/flow-changes';

const issuesOf = (changes: FlowChanges) =>
  checkFlowWithTemplates(withChanges(validFlow, changes)).map(({ path, message, fix }) => `${path}: ${message} ${fix}`);

const buildWaitSteps = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`steps.more-${at}`, { kind: 'wait', seconds: 60, then: 'code' }]),
  );

test('the fix of a wrong transition names the closest step, and then lists all steps', () => {
  const [issue = ''] = issuesOf({ ...buildWaitSteps(30), 'steps.pause.then': 'coed' }).filter((one) =>
    one.includes('coed'),
  );
  expect(issue).toMatch(
    /: The next step is `coed`, but there is no such step\. Did you mean `code`\? Use one of the steps: `look`, `code`, /,
  );
  expect(issue.split(', ').length).toBe(39);
  expect(issue).toContain('more-29');
});

test.each<[string, FlowChanges, string]>([
  [
    'a start',
    { start: 'lok' },
    'start: The start is `lok`, which is not a step. Did you mean `look`? Use one of the steps: `look`, ',
  ],
  [
    'an exit',
    { 'steps.code.exits.Valid': undefined, 'steps.code.exits.Vaild': 'tell' },
    'steps.code.exits.Vaild: The step has no exit `Vaild`. Did you mean `Valid`? Remove this exit, and add the missing exits: `Valid`.',
  ],
  [
    'an additional exit',
    { 'steps.tell.exits.Vaild': 'confirmed' },
    'steps.tell.exits.Vaild: The step has no exit `Vaild`. Remove this exit. The exits are `Delivered`, `Failed`.',
  ],
  [
    'a template',
    { 'steps.code.template': 'sms-tokn' },
    'steps.code.template: There is no template `sms-tokn`. Did you mean `sms-token`? Use one of these: `sms-token`, ',
  ],
  [
    'a step in a condition',
    { 'steps.look.rules.0.when': "exits['cod'] == 'Valid'" },
    "steps.look.rules.0.when: The condition uses `exits['cod']`, but there is no such step. Did you mean `code`? Use one of the steps: `look`, ",
  ],
  [
    'an exit in a condition',
    { 'steps.look.rules.0.when': "exits['code'] == 'valid'" },
    "steps.look.rules.0.when: The condition compares `exits['code']` with `valid`, which is not an exit of that step. Did you mean `Valid`? Use one of its exits: `Valid`, ",
  ],
  [
    'a pair of a rating',
    { 'steps.look.rules.0.when': "ratings['document-fone'] < 2.0" },
    "steps.look.rules.0.when: The condition uses `ratings['document-fone']`, but there is no such pair. Did you mean `document-phone`? Use one of the pairs: ",
  ],
  [
    'an outcome as the start',
    { start: 'confirmed' },
    'start: The start is the outcome `confirmed`, so no other step can be reached. Start with one of these steps: `look`, `code`, `pause`, `question`, `pictures`, `tell`.',
  ],
])('a wrong name is reported once, and the fix lists valid names: %s', (_, changes, expected) => {
  expect(issuesOf(changes)).toContainEqual(expect.stringContaining(expected));
  expect(new Set(issuesOf(changes).map((issue) => issue.split(': ')[0])).size).toBe(issuesOf(changes).length);
});

test.each([
  ['ratings.exists(one, true)', '`ratings` is a map, which has no `exists`.'],
  ['ratings.document-phone < 2.0', 'After a dot, the key `document-phone` cannot have a hyphen.'],
  ['ratings[document-phone] < 2.0', 'The key `document-phone` has no quotes.'],
])('the error in the condition %s is reported once', (when, expected) => {
  expect(checkFlowWithTemplates(withChanges(validFlow, { 'steps.look.rules.0.when': when }))).toEqual([
    expect.objectContaining({ code: 'condition-wrong', message: expected }),
  ]);
});

test('a condition can subtract the visits of two steps, without spaces around the minus sign', () => {
  expect(issuesOf({ 'steps.look.rules.0.when': 'visits.code-visits.pause > 0' })).toEqual([]);
  expect(issuesOf({ 'steps.look.rules.0.when': 'visits.cod-visits.pause > 0' })).toHaveLength(1);
});

test('the fix of a reply without a name suggests a name', () => {
  const result = checkDefinition(withChanges(validFlow, { 'steps.question.options.0.name': undefined }));
  expect('issues' in result && result.issues).toContainEqual(
    expect.objectContaining({
      path: 'steps.question.options.0.name',
      fix: 'Write a name for the reply, such as `NotMe`.',
    }),
  );
});

test('two replies with the same name count as one exit', () => {
  const issues = issuesOf({ 'steps.question.options.1.name': 'Yes', 'steps.question.exits.NotMe': 'refused' });
  expect(issues.join()).toContain('The exits are `Yes`, `Expired`, `Failed`.');
});
