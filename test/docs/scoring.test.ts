import { readFileSync } from 'node:fs';
import path from 'node:path';
import { catalogue } from '../../domain/scoring/catalogue';
import { defaultPolicy } from '../../domain/scoring/default-policy';
import { ruleId } from '../../domain/scoring/rule';

const guide = readFileSync(path.join(__dirname, '..', '..', 'docs', 'scoring.md'), 'utf8');

const signed = (points: number) => (points > 0 ? `+${points}` : String(points));

/** The table as the code has it. What a rule relates to is written as its insight's type is. */
function table(): string[] {
  return [
    '| code | relevance | relates to | points | finding |',
    '|---|---|---|---|---|',
    ...catalogue
      .toSorted((left, right) => (left.code < right.code ? -1 : left.code > right.code ? 1 : 0))
      .map((rule) => {
        const points = signed(defaultPolicy.points[ruleId(rule)] ?? Number.NaN);
        return `| ${rule.code} | ${rule.relevance} | ${rule.relatedTo.join('-')} | ${points} | ${rule.text.en} |`;
      }),
  ];
}

test('the guide lists every rule with its points', () => {
  const [, told = ''] = /<!-- rules -->\n([\s\S]*?)\n?<!-- \/rules -->/.exec(guide) ?? [];
  expect(told.split('\n')).toEqual(table());
});

test('the guide names the base', () => {
  expect(guide).toContain(`The base is ${defaultPolicy.base}.`);
});
