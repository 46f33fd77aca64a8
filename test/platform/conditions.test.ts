import { spawnSync } from 'node:child_process';
import { decisionFacts } from '../../domain/flows/decision-facts';
import { flowLimits } from '../../domain/flows/bounds';
import { ConditionError, createConditions } from '../../platform/conditions/conditions';

const facts = {
  score: { type: 'double' },
  found: { type: 'list<string>' },
  texts: { type: 'map<string,string>' },
  counts: { type: 'map<string,int>' },
  weights: { type: 'map<string,double>' },
  person: { fields: { age: { type: 'int' }, adult: { type: 'bool' }, own: { type: 'map<string,string>' } } },
} as const;
const conditions = createConditions(facts);
const messageOf = (issue: ReturnType<typeof conditions.check>) => issue && `${issue.message} ${issue.fix}`;
const operatorsFix = 'Use `==`, `<` or `in` to compare, and `&&` or `||` to combine.';
const values = {
  score: 40,
  found: ['A1', 'B2'],
  texts: { code: 'Valid', amount: '250' },
  counts: { code: 2 },
  weights: { pair: 3.5 },
  person: { age: 20, adult: true, own: { plan: 'gold' } },
};

test.each([
  ['score < 40', false],
  ['score <= 40', true],
  ['score == 40', true],
  ['score != 41 && score > 39.5', true],
  ["'A1' in found", true],
  ["found.exists(code, code.startsWith('B'))", true],
  ['found.all(code, size(code) == 3)', false],
  ["texts.code == 'Valid'", true],
  ["texts['code'] in ['Valid', 'Expired']", true],
  ["texts['none'] == ''", true],
  ["'A1' in found.filter(code, code != 'A1')", false],
  ["texts['__proto__'] == '' && texts['constructor'] == ''", true],
  ['int(texts.amount) >= 250', true],
  ['double(texts.amount) < 250.5', true],
  ['counts.code > 1 && counts.none == 0', true],
  ['weights.pair == 3.5 && weights.none < 1', true],
  ['person.adult && person.age >= 18', true],
  ["person.own.plan == 'gold' && person.own.none == ''", true],
  ['person.age < score', true],
])('the condition %s is %s', (expression, expected) => {
  expect(conditions.check(expression)).toBeUndefined();
  expect(conditions.evaluate(expression, values)).toBe(expected);
});

test.each([
  ['the conversion of a text that is not a number', 'int(texts.code) > 0'],
  ['the negation of an error', '!(int(texts.code) > 0)'],
  ['a division by zero', 'person.age / 0 > 1'],
  ['a missing item', "found[9] == 'A1'"],
])('a condition with %s cannot be evaluated', (_, expression) => {
  expect(conditions.check(expression)).toBeUndefined();
  expect(() => conditions.evaluate(expression, values)).toThrow(ConditionError);
});

test.each([
  [
    '',
    'The condition is empty. Write an expression that is true or false, such as a comparison with `==`, `<` or `in`.',
  ],
  [
    'x'.repeat(501),
    'The condition has 501 characters; the limit is 500. Write a shorter condition. If it has `||`, write one rule for each side.',
  ],
  [
    'scor < 40',
    'There is no fact `scor`. Did you mean `score`? Use one of `score`, `found`, `texts`, `counts`, `weights`, `person`.',
  ],
  ['now > 3', 'There is no fact `now`. Use one of `score`, `found`, `texts`, `counts`, `weights`, `person`.'],
  ['person.name == ""', 'There is no field `name`. Use one of the fields of `person`: `age`, `adult`, `own`.'],
  [
    "score == 'high'",
    'These types cannot be combined: `double == string`. Compare texts with quoted texts, and numbers with numbers.',
  ],
  [
    'score + 1 > 2',
    'These types cannot be combined: `double + int`. Write a whole number with `.0`, such as `2.0`, to combine it with a `double`.',
  ],
  [
    'score',
    'The condition is of type `double`. Write an expression that is true or false, such as a comparison with `==`, `<` or `in`.',
  ],
  [
    'person.age',
    'The condition is of type `int`. Write an expression that is true or false, such as a comparison with `==`, `<` or `in`.',
  ],
  ['size(true) > 1', "A type is wrong: found no matching overload for 'size(bool)'. Check the types of the facts."],
  ['score <', 'The condition cannot be read at character 8: a value is missing at the end. Write the value.'],
  [
    'score = 4',
    'The condition cannot be read at character 7: `=` is not expected here. Write `==`, `<=` or `>=` to compare. In `<=` and `>=`, the `=` is at the end.',
  ],
  [
    `${'('.repeat(40)}true${')'.repeat(40)}`,
    'The condition is nested too deeply or has too many parts: Exceeded maxDepth (24). Write a shorter condition. If it has `||`, write one rule for each side.',
  ],
  [
    `score in [${'1.0,'.repeat(61)}1.0]`,
    'The condition is nested too deeply or has too many parts: Exceeded maxListElements (60). Write a shorter condition. If it has `||`, write one rule for each side.',
  ],
  [
    "texts.code.matches('(a+)+$')",
    'The condition calls `matches`, which conditions do not support. Use one of `size`, `startsWith`, `endsWith`, `contains`, `lowerAscii`, `upperAscii`, `trim`, `all`, `exists`, `exists_one`, `filter`.',
  ],
  [
    'timestamp(0) < timestamp(1)',
    'The condition calls `timestamp`, which conditions do not support. Use one of `size`, `int`, `double`, `string`.',
  ],
  [
    'has(texts.code)',
    "The condition calls `has`, which conditions do not support. For a map of texts, write `map['key'] != ''`. For a map of numbers, write `map['key'] > 0`.",
  ],
  [
    "'a' in texts",
    "`in` needs a list on its right side. For a map of texts, write `map['key'] != ''`. For a map of numbers, write `map['key'] > 0`.",
  ],
  [
    "'a' in (true ? texts : texts)",
    "`in` needs a list on its right side. For a map of texts, write `map['key'] != ''`. For a map of numbers, write `map['key'] > 0`.",
  ],
  [
    "'a' in person.own",
    "`in` needs a list on its right side. For a map of texts, write `map['key'] != ''`. For a map of numbers, write `map['key'] > 0`.",
  ],
  [
    'found.all(one, found.all(other, one == other))',
    'The condition has `all` inside another list function (`all`, `exists`, `exists_one`, `filter`). Nesting is not supported. Write two calls, and join them with `&&` or `||`.',
  ],
])('the condition %s is rejected', (expression, issue) => {
  expect(messageOf(conditions.check(expression))).toBe(issue);
  expect(() => conditions.evaluate(expression, values)).toThrow(issue);
});

test('a value that does not have the type of its fact causes an exception', () => {
  expect(() => conditions.evaluate('score > 1', { ...values, score: '40' })).toThrow('score is not of type double.');
  expect(() => conditions.evaluate('score > 1', { ...values, texts: { a: 1 } })).toThrow(
    'texts.a is not of type string.',
  );
  expect(() => conditions.evaluate('score > 1', { ...values, found: {} })).toThrow(
    'found is not of type list<string>.',
  );
});

test('a condition may have as many characters as the limit of flows', () => {
  const flowConditions = createConditions(decisionFacts);
  expect(flowConditions.check(`${' '.repeat(flowLimits.conditionCharacters - 9)}score < 1`)).toBeUndefined();
  expect(flowConditions.check(`${' '.repeat(flowLimits.conditionCharacters - 8)}score < 1`)?.message).toContain(
    'the limit is',
  );
});

describe('the cost of a condition', () => {
  const { check, evaluate } = createConditions(decisionFacts);
  const join = (count: number) => `(${Array(count).fill('k').join('+')})`;
  const sums = `transaction.generic.exists(k, ${join(58)}.size() + ${join(40)}.size() + ${join(39)}.size() < 0)`;
  const transaction = {
    ...{ documentType: 'CPF', type: 1, criterion: 0, channelId: '', state: 'SP', city: 'São Paulo', age: 30 },
    ...{ hasPhone: true, hasEmail: true, verifiedEmail: false, phoneCountry: 55, phoneArea: 11, generic: {} },
  };
  const facts = { score: 1, insights: [], ratings: {}, exits: {}, visits: {}, transaction };
  const largeFacts = {
    ...facts,
    transaction: {
      ...transaction,
      generic: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`.padEnd(128, 'a'), 'a'])),
    },
  };

  test.each([
    ['long sums of texts for each field', sums],
    [
      'many searches in each field',
      `transaction.generic.exists(k, ${Array(12).fill("k.contains('abcdef')").join('||')})`,
    ],
    ['a search for each field in a long text', "transaction.generic.exists(k, transaction.generic['a'].contains(k))"],
    ['capitals of each field', `transaction.generic.all(k, ${Array(9).fill("k.upperAscii() != 'A'").join('&&')})`],
    ['many lists', `transaction.generic.exists(k, k in [${Array(60).fill("''").join()}] || ${join(9)} == '')`],
  ])('%s are too much', (_, expression) => {
    expect(check(expression)?.message).toBe('The condition would take too long with the longest texts and lists.');
  });

  test.each([
    `insights.exists(one, one in [${Array(45).fill("'PH001'").join()}])`,
    "insights.filter(one, one.startsWith('PH') || one.startsWith('EM') || one.contains('0')).size() >= 2",
    "transaction.generic.exists(key, key.startsWith('promo'))",
    "transaction.generic['plan'].lowerAscii().trim() in ['gold', 'platinum'] && transaction.city + transaction.state == 'x'",
    "transaction.generic['note'].contains('urgent') || transaction.channelId.contains('partner')",
  ])('a condition that a team may write is accepted: %s', (expression) => {
    expect(check(expression)).toBeUndefined();
  });

  test('a condition that was saved without the limit is evaluated with small facts, and rejected with large ones', () => {
    expect(evaluate(sums, facts)).toBe(false);
    expect(() => evaluate(sums, largeFacts)).toThrow(ConditionError);
  });
});

test('Node loads the CEL library from CommonJS without a warning', () => {
  const load = "process.stdout.write(typeof require('@marcbachmann/cel-js').Environment)";
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', load], { encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: 'function', stderr: '' });
});

test.each([
  [
    "'PH1' in insight",
    'There is no fact `insight`. Did you mean `insights`? Use one of `score`, `insights`, `ratings`, `exits`, `visits`, `transaction`.',
  ],
  [
    'insights.exists(one, one in insight)',
    'There is no fact `insight`. Did you mean `insights`? Use one of `score`, `insights`, `ratings`, `exits`, `visits`, `transaction`.',
  ],
  [
    "insights.exists(one, 'a' in one)",
    "`in` needs a list on its right side. For a map of texts, write `map['key'] != ''`. For a map of numbers, write `map['key'] > 0`.",
  ],
  ["insights.contains('EM001')", "`insights` is a list, which has no `contains`. Write `'EM001' in insights`."],
  ['insights.contains(transaction.city)', "`insights` is a list, which has no `contains`. Write `'…' in insights`."],
  [
    "insights.startsWith('LK')",
    "`insights` is a list, which has no `startsWith`. Write `insights.exists(one, one.startsWith('LK'))`.",
  ],
  ["exits.contains('code')", "`exits` is a map, which has no `contains`. Write `exits['key'] != ''`."],
  ['ratings.exists(one, true)', "`ratings` is a map, which has no `exists`. Write `ratings['key'] > 0`."],
  ['ratings[document-phone] < 2.0', "The key `document-phone` has no quotes. Write `ratings['document-phone']`."],
  ["exits[code] == 'Valid'", "The key `code` has no quotes. Write `exits['code']`."],
  [
    'ratings.zip-code-phone < 2.0',
    "After a dot, the key `zip-code-phone` cannot have a hyphen. Write `ratings['zip-code-phone']`.",
  ],
  ['(score < 4', 'The condition cannot be read at character 11: a `)` is missing. Add a `)`.'],
  ["ratings['document-phone' < 2.0", 'The condition cannot be read at character 31: a `]` is missing. Add a `]`.'],
  ['score < 4)', 'The condition cannot be read at character 10: there is no opening sign for the `)`. Remove it.'],
  [
    "transaction.city == 'x",
    'The condition cannot be read at character 21: a text has no closing quote. Add the quote.',
  ],
  [
    'score < 4 AND score > 3',
    'The condition cannot be read at character 11: `AND` is not expected here. Write `&&` instead.',
  ],
  [
    'score < 4 & score > 3',
    'The condition cannot be read at character 11: `&` is not expected here. Write `&&` instead.',
  ],
  ['score <> 4', `The condition cannot be read at character 8: a value is expected here. ${operatorsFix}`],
  ['score < 3 4', `The condition cannot be read at character 11: \`4\` is not expected here. ${operatorsFix}`],
])('in a flow, the condition %s is rejected with the reason', (expression, message) => {
  expect(messageOf(createConditions(decisionFacts).check(expression))).toBe(message);
});

test.each([
  "'EM001' in insights",
  "insights.exists(one, one.startsWith('LK'))",
  "insights.exists(c, c.contains('LK'))",
  "ratings['document-phone'] > 0",
  "ratings['document-phone'] < 2.0",
])('the suggested fix is accepted: %s', (expression) => {
  expect(createConditions(decisionFacts).check(expression)).toBeUndefined();
});

test('a variable as a key, and a minus after a key, are accepted', () => {
  const expression = 'insights.exists(pair, ratings[pair] > 1.0) && visits.code-visits.pause > 0';
  expect(createConditions(decisionFacts).check(expression)).toBeUndefined();
});
