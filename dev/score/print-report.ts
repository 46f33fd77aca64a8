import type { Band, Report, RuleReport } from './report';

/** Length of the longest bar, in characters. A line with this bar and its numbers fits into 80 columns. */
const barWidth = 40;

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
const formatInteger = (count: number) => count.toLocaleString('en');

/** A table with padded columns. The first and the last column are aligned left, the others right. */
function formatTable(headers: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const allRows = [headers, ...rows];
  const widths = headers.map((_, column) => Math.max(...allRows.map((row) => row[column]?.length ?? 0)));
  return allRows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .slice(0, -1)
      .concat(row.at(-1) ?? '')
      .join('  ')
      .trimEnd(),
  );
}

function formatBands({ bands, transactions }: Report, barCharacter: string): string[] {
  const highest = Math.max(...bands.map(({ count }) => count), 1);
  const labeled = transactions.good + transactions.bad > 0;
  const row = ({ from, to, count, good, bad }: Band) => [
    `${from} to ${to}`,
    formatInteger(count),
    percent(count / Math.max(transactions.scored, 1)),
    ...(labeled ? [formatInteger(good), formatInteger(bad)] : []),
    barCharacter.repeat(Math.ceil((count / highest) * barWidth)),
  ];
  return formatTable(['score', 'count', 'share', ...(labeled ? ['good', 'bad'] : []), ''], bands.map(row));
}

function formatRules(rules: readonly RuleReport[]): string[] {
  const labeled = rules.some(({ shareOf }) => shareOf);
  const row = (rule: RuleReport) => [
    `${rule.code} ${rule.relevance}`,
    percent(rule.knownShare),
    formatInteger(rule.hits),
    percent(rule.share),
    rule.hits === 0 ? '-' : rule.meanPoints.toFixed(2),
    ...(labeled ? [percent(rule.shareOf?.good ?? 0), percent(rule.shareOf?.bad ?? 0)] : []),
    rule.description,
  ];
  const headers = [
    'rule',
    'with evidence',
    'hits',
    'share',
    'points',
    ...(labeled ? ['of good', 'of bad'] : []),
    'finding',
  ];
  return formatTable(headers, rules.map(row));
}

function formatSeparation({ separation, transactions: { good, bad } }: Report): string[] {
  if (!separation) return good + bad > 0 ? ['AUC and KS need both labels, good and bad.', ''] : [];
  const { auc, ks } = separation;
  return [
    `AUC ${auc.toFixed(4)}: the probability that a good transaction has a higher score than a bad transaction (0.5 is random, 1 is perfect).`,
    `KS  ${ks.distance.toFixed(4)} at score ${ks.at}: the greatest distance between the cumulative shares of bad and of good transactions (0 is no distance, 1 is perfect).`,
    '',
  ];
}

function formatIssues({ issues, evidenceErrors, transactions: { unreadable } }: Report): string[] {
  const finders = Object.entries(evidenceErrors).map(
    ([finder, times]) => `The search for evidence (${finder}) failed ${times} times.`,
  );
  const lines = issues.map(({ line, reason }) => `  line ${line}: ${reason}`);
  const hiddenCount = unreadable - issues.length;
  if (hiddenCount > 0) lines.push(`  and ${formatInteger(hiddenCount)} more`);
  return [...lines, ...finders, ...(lines.length + finders.length > 0 ? [''] : [])];
}

/** A report as text. With `plain`, the bars are in ASCII. */
export function formatReport(report: Report, { plain }: { plain: boolean }): string {
  const { policy, elapsedMs, ownFacts, transactions } = report;
  const { scored, unreadable, undated, good, bad } = transactions;
  const labels = good + bad > 0 ? ` (${formatInteger(good)} good, ${formatInteger(bad)} bad)` : '';
  return [
    `Policy ${policy}: ${formatInteger(scored)} transactions scored${labels}, ${formatInteger(unreadable)} lines skipped, ` +
      `${(elapsedMs / 1_000).toFixed(1)} s`,
    'The history of each line has only the lines above it. DNS and bureaus were not queried, so their findings are missing.',
    `The facts of a transaction: ${ownFacts} in its own score${ownFacts === 'counted' ? '' : ' (see --with-facts)'}, and counted in the scores of later transactions.`,
    ...(undated > 0
      ? [
          `${formatInteger(undated)} lines have no createdAt. They get invented dates, one minute apart, so rules about dates are unreliable.`,
        ]
      : []),
    ...(report.notInPolicy.length > 0
      ? [`Rules that this policy does not use: ${report.notInPolicy.join(', ')}.`]
      : []),
    '',
    ...formatIssues(report),
    ...(scored > 0
      ? [...formatBands(report, plain ? '#' : '█'), '', ...formatSeparation(report), ...formatRules(report.rules)]
      : []),
    '',
  ].join('\n');
}
