import { sumUp } from '../../domain/scoring/score';
import type { Policy } from '../../domain/scoring/policy';
import { evaluateRules } from '../../domain/scoring/evaluate-rules';
import type { PersonFacts } from '../../domain/person-facts';
import { gatherEvidence, type Sources } from '../../activities/scoring/gather-evidence';
import { createMemoryHistory } from './memory-history';
import { type OfflineTransaction, parseLine } from './parse-line';
import { readLines } from './read-lines';
import { countFault, countFinderFault, countScore, createTally, type Tally } from './tally';

/** What the API takes at most as a body, and the same again for what a line has beside it. */
const lineBytesMax = 128 * 1024;

export interface Scoring {
  policy: Policy;
  /** Whether what came of a transaction counts for its own score; later ones learn it in any case. */
  withFacts: boolean;
  /** Hears the number of each line that was dealt with. */
  onLine: (line: number) => void;
}

const isBlank = (bytes: Buffer) => bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);

function ownFacts({ facts, createdAt }: OfflineTransaction): PersonFacts {
  const known = Object.entries(facts).filter(([, happened]) => happened);
  return Object.fromEntries(known.map(([fact]) => [fact, createdAt]));
}

/**
 * Scores a file as the service would have, each line with the history of the lines before it. Neither DNS nor a bureau
 * is asked: the same file gives the same scores everywhere. A line that cannot be read is counted and passed over.
 */
export async function scoreFile(source: AsyncIterable<Buffer>, { policy, withFacts, onLine }: Scoring): Promise<Tally> {
  const tally = createTally();
  const history = createMemoryHistory();
  const sources: Sources = { history, mailServers: { of: async () => 'unknown' } };

  const scoreOne = async (transaction: OfflineTransaction, id: string) => {
    const { input, createdAt, dated, label, facts } = transaction;
    if (!dated) tally.undated += 1;
    const subject = { tenant: 'file', id, input, createdAt };
    const evidence = await gatherEvidence(sources, subject, policy, (finder) => countFinderFault(tally, finder));
    const lines = evaluateRules({ evidence, policy, facts: withFacts ? ownFacts(transaction) : {} });
    countScore(tally, sumUp(lines, { policy }).value, lines, label);
    history.learn(id, facts);
  };

  for await (const { number, bytes } of readLines(source, lineBytesMax)) {
    onLine(number);
    if (bytes && isBlank(bytes)) continue;
    const read = bytes ? parseLine(bytes, number) : { fault: `is longer than ${lineBytesMax} bytes` };
    if ('fault' in read) countFault(tally, number, read.fault);
    else await scoreOne(read, `line-${number}`);
  }
  return tally;
}
