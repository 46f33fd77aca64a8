import { createHash } from 'node:crypto';
import { sample } from 'fast-check';
import { catalogue } from '../../../domain/scoring/score';
import { defaultPolicy } from '../../../domain/scoring/policy';
import { ruleId } from '../../../domain/scoring/rule';
import { anyEvidence, anyFacts } from './arbitrary-basis';
import digests from './rule-digests.json';

/** The fixed seed gives the same evidence in every test run. */
const evidences = sample(anyEvidence, { numRuns: 300, seed: 20261121 });
const facts = sample(anyFacts, { numRuns: 300, seed: 20261121 });

const digestRule = (rule: (typeof catalogue)[number]): string => {
  const { thresholds } = defaultPolicy;
  const result = evidences.map(
    (evidence, index) => rule.evaluate({ evidence, facts: facts[index] ?? {}, thresholds }) ?? null,
  );
  return createHash('sha256').update(JSON.stringify(result)).digest('hex').slice(0, 12);
};

// Another worker may run the code of a workflow again (a replay), and must compute the same scores. So never change the condition of a
// rule: add a rule with a new code, and keep the old rule.
test('every rule gives the same results as before', () => {
  expect(Object.fromEntries(catalogue.map((rule) => [ruleId(rule), digestRule(rule)]))).toEqual(digests);
});
