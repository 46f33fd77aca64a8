import { createHash } from 'node:crypto';
import { sample } from 'fast-check';
import { catalogue } from '../../../domain/scoring/catalogue';
import { defaultPolicy } from '../../../domain/scoring/default-policy';
import { ruleId } from '../../../domain/scoring/rule';
import { anyEvidence, anyFacts } from './any-basis';

const evidences = sample(anyEvidence, { numRuns: 300, seed: 20261121 });
const facts = sample(anyFacts, { numRuns: 300, seed: 20261121 });

/** What a rule sees in three hundred transactions, in a few characters. */
const meaningOf = (rule: (typeof catalogue)[number]): string => {
  const { thresholds } = defaultPolicy;
  const result = evidences.map(
    (evidence, index) => rule.evaluate({ evidence, facts: facts[index] ?? {}, thresholds }) ?? null,
  );
  return createHash('sha256').update(JSON.stringify(result)).digest('hex').slice(0, 12);
};

// A rule whose digest changes gets a new code instead, and the old one stays: running transactions make their scores
// again when another worker takes them over, and what they told before must come out the same.
test('no rule has changed its meaning', () => {
  expect(Object.fromEntries(catalogue.map((rule) => [ruleId(rule), meaningOf(rule)]))).toMatchSnapshot();
});
