import { catalogue } from '../../domain/scoring/score';
import { defaultPolicy } from '../../domain/scoring/policy';
import { ruleId } from '../../domain/scoring/rule';
import { openGuide } from '../support/guide';

const { guide, section } = openGuide('scoring.md');

const withSign = (points: number) => (points > 0 ? `+${points}` : String(points));

function expectedTable(): string[] {
  return [
    '| code | points | finding |',
    '|---|---|---|',
    ...catalogue
      .toSorted((left, right) => (left.code < right.code ? -1 : left.code > right.code ? 1 : 0))
      .map((rule) => {
        const points = withSign(defaultPolicy.points[ruleId(rule)] ?? Number.NaN);
        return `| ${rule.code} | ${points} | ${rule.text.en} |`;
      }),
  ];
}

test('the guide lists every rule with its points', () => {
  expect(section('rules').split('\n')).toEqual(expectedTable());
});

test('the guide has the base score', () => {
  expect(guide).toContain(`The base is ${defaultPolicy.base}.`);
});
