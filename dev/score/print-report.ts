import type { Band, Report, RuleReport } from './report';

/** Widest bar of the distribution, in characters: with its numbers it fits a terminal of 80. */
const barWidth = 40;

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
const whole = (count: number) => count.toLocaleString('en');

/** Rows under their heads. The last column is text and stands left, the others right. */
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [heads, ...rows];
  const widths = heads.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .slice(0, -1)
      .concat(row.at(-1) ?? '')
      .join('  ')
      .trimEnd(),
  );
}

function tellBands({ bands, transactions }: Report, mark: string): string[] {
  const highest = Math.max(...bands.map(({ count }) => count), 1);
  const labelled = transactions.good + transactions.bad > 0;
  const row = ({ from, to, count, good, bad }: Band) => [
    `${from} to ${to}`,
    whole(count),
    percent(count / Math.max(transactions.scored, 1)),
    ...(labelled ? [whole(good), whole(bad)] : []),
    mark.repeat(Math.ceil((count / highest) * barWidth)),
  ];
  return table(['score', 'count', 'share', ...(labelled ? ['good', 'bad'] : []), ''], bands.map(row));
}

function tellRules(rules: readonly RuleReport[]): string[] {
  const labelled = rules.some(({ shareOf }) => shareOf);
  const row = (rule: RuleReport) => [
    `${rule.code} ${rule.relevance}`,
    percent(rule.known),
    whole(rule.hits),
    percent(rule.share),
    rule.hits === 0 ? '-' : rule.meanPoints.toFixed(2),
    ...(labelled ? [percent(rule.shareOf?.good ?? 0), percent(rule.shareOf?.bad ?? 0)] : []),
    rule.description,
  ];
  const heads = ['rule', 'evidence', 'hits', 'share', 'points', ...(labelled ? ['of good', 'of bad'] : []), 'finding'];
  return table(heads, rules.map(row));
}

function tellSeparation({ separation, transactions: { good, bad } }: Report): string[] {
  if (!separation) return good + bad > 0 ? ['AUC and KS need both labels, good and bad.', ''] : [];
  const { auc, ks } = separation;
  return [
    `AUC ${auc.toFixed(4)}: how often a good one scores above a bad one (0.5 is chance, 1 is always).`,
    `KS  ${ks.distance.toFixed(4)} at score ${ks.at}: the widest gap between the shares of bad and of good up to a score.`,
    '',
  ];
}

function tellFaults({ faults, finderFaults, transactions: { unreadable } }: Report): string[] {
  const finders = Object.entries(finderFaults).map(([finder, times]) => `The finder ${finder} failed ${times} times.`);
  const lines = faults.map(({ line, reason }) => `  line ${line}: ${reason}`);
  const more = unreadable - faults.length;
  if (more > 0) lines.push(`  and ${whole(more)} more`);
  return [...lines, ...finders, ...(lines.length + finders.length > 0 ? [''] : [])];
}

/** A report for a person to read. `plain` uses ASCII alone for what this program draws. */
export function printReport(report: Report, { plain }: { plain: boolean }): string {
  const { policy, elapsedMs, ownFacts, transactions } = report;
  const { scored, unreadable, undated, good, bad } = transactions;
  const labels = good + bad > 0 ? ` (${whole(good)} good, ${whole(bad)} bad)` : '';
  return [
    `Policy ${policy}: ${whole(scored)} transactions scored${labels}, ${whole(unreadable)} lines left out, ` +
      `${(elapsedMs / 1_000).toFixed(1)} s`,
    'History: learned from this file, line by line. DNS and bureau: not asked; findings of theirs are missing.',
    `What came of a transaction: ${ownFacts} in its own score${ownFacts === 'counted' ? '' : ' (--with-facts)'}, known to later ones.`,
    ...(undated > 0
      ? [
          `${whole(undated)} lines have no createdAt and stand a minute apart: nothing in them was seen on another date.`,
        ]
      : []),
    ...(report.notInPolicy.length > 0 ? [`Not in this policy: ${report.notInPolicy.join(', ')}.`] : []),
    '',
    ...tellFaults(report),
    ...(scored > 0
      ? [...tellBands(report, plain ? '#' : '█'), '', ...tellSeparation(report), ...tellRules(report.rules)]
      : []),
    '',
  ].join('\n');
}
