import { evaluateRules, sumPoints } from '../../domain/scoring/score';
import type { Policy } from '../../domain/scoring/policy';
import type { PersonFacts } from '../../domain/transactions/input';
import { createMailServers } from '../../scoring/evidence/email';
import { gatherEvidence, type EvidenceSources } from '../../scoring/gather-evidence';
import { createMemoryLinkGraph } from './memory-link-graph';
import { type OfflineTransaction, parseLine } from './parse-line';
import { readLines } from './read-lines';
import { countIssue, countEvidenceError, countScore, createTally, type Tally } from './tally';

/** Twice the largest body that the API accepts, because a line has additional fields. */
const lineBytesMax = 128 * 1024;

/** How a file is scored. */
export interface ScoringOptions {
  policy: Policy;
  /**
   * Whether the facts of a transaction count in the score of the same transaction. The facts always count in the scores of later
   * transactions.
   */
  withFacts: boolean;
  /** Called with the number of each line, before the line is scored. */
  onLine: (line: number) => void;
}

const isBlank = (bytes: Buffer) => bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);

/** The facts in the form that the rules use. Each fact has the time of its transaction. */
export const personFactsOf = ({
  facts: { phone, email, denied },
  createdAt: at,
}: Pick<OfflineTransaction, 'facts' | 'createdAt'>): PersonFacts => ({
  ...(phone && { phoneConfirmedAt: at }),
  ...(email && { emailConfirmedAt: at }),
  ...(denied && { deniedAt: at }),
});

/**
 * Scores the transactions of a file as the service would. When a line is scored, the link graph has the transactions of all lines before
 * it. Queries no DNS and no bureau, so the same file has the same scores everywhere. A line that cannot be read is counted and skipped.
 */
export async function scoreFile(
  source: AsyncIterable<Buffer>,
  { policy, withFacts, onLine }: ScoringOptions,
): Promise<Tally> {
  const tally = createTally();
  const linkGraph = createMemoryLinkGraph();
  const sources: EvidenceSources = { linkGraph, mailServers: createMailServers({ timeoutMs: 0 }) };

  const scoreTransaction = async (transaction: OfflineTransaction, id: string) => {
    const { input, createdAt, hasDate, label, facts } = transaction;
    if (!hasDate) tally.undated += 1;
    const subject = { tenant: 'file', id, input, createdAt };
    const evidence = await gatherEvidence(sources, subject, policy, (source) => countEvidenceError(tally, source));
    const evaluatedRules = evaluateRules({ evidence, policy, facts: withFacts ? personFactsOf(transaction) : {} });
    countScore(tally, sumPoints(evaluatedRules, { policy }).value, evaluatedRules, label);
    linkGraph.addFacts(id, facts);
  };

  for await (const { number, bytes } of readLines(source, lineBytesMax)) {
    onLine(number);
    if (bytes && isBlank(bytes)) continue;
    const result = bytes ? parseLine(bytes, number) : { issue: `is longer than ${lineBytesMax} bytes` };
    if ('issue' in result) countIssue(tally, number, result.issue);
    else await scoreTransaction(result, `line-${number}`);
  }
  return tally;
}
