import { bdiText, h } from '../../pages/browser/elements.mjs';
import { hashes } from './addresses.mjs';
import { table } from './table.mjs';

const integerFormat = new Intl.NumberFormat('en-GB');
const percentFormat = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 1 });

const shareOf = (count, runs) => (runs === 0 ? '–' : percentFormat.format(count / runs));

const sum = (counts) => Object.values(counts).reduce((total, count) => total + count, 0);

export const runsText = (runs) => `${integerFormat.format(runs)} ${runs === 1 ? 'run' : 'runs'}`;

const outcomesOf = (steps) =>
  Object.values(steps).flatMap(({ kind, outcome }) => (kind === 'outcome' ? [outcome] : []));

/** Creates a link to the runs that a number counts. */
const runsLink = ({ name, version }, filter, value, ...children) =>
  h('a', { href: hashes.runsAt(name, version, { filter, value }) }, ...children);

/** Runs by outcome, most frequent first. Every outcome of the version has a row. */
export function outcomesTable({ runs, canceled, current, outcomes }, steps, flowVersion) {
  const counts = { ...Object.fromEntries(outcomesOf(steps).map((name) => [name, 0])), ...outcomes };
  const sortedOutcomes = Object.entries(counts).toSorted(([, one], [, other]) => other - one);
  const otherRows = [
    [runsLink(flowVersion, 'status', 'Canceled', 'Canceled'), canceled],
    [runsLink(flowVersion, 'status', 'Running', 'Still running'), sum(current)],
  ];
  return table(
    'Outcomes',
    [{ name: 'Outcome' }, { name: 'Runs', number: true }, { name: 'Share', number: true }],
    [
      ...sortedOutcomes.map(([name, count]) => [runsLink(flowVersion, 'outcome', name, bdiText(name)), count]),
      ...otherRows,
    ].map(([name, count]) => [name, integerFormat.format(count), shareOf(count, runs)]),
  );
}

/** Creates a table with the numbers of the diagram. The steps are in the order of the definition. */
export function stepsTable({ current, entered }, steps, flowVersion) {
  const names = Object.keys(steps).filter((name) => steps[name].kind !== 'outcome');
  return table(
    'Steps',
    [
      { name: 'Step' },
      { name: 'Kind', spare: true },
      { name: 'At it now', number: true },
      { name: 'Entered', number: true },
    ],
    names.map((name) => [
      runsLink(flowVersion, 'entered', name, bdiText(name)),
      steps[name].kind,
      current[name]
        ? runsLink(flowVersion, 'current', name, integerFormat.format(current[name]))
        : integerFormat.format(0),
      integerFormat.format(entered[name] ?? 0),
    ]),
  );
}

const weekday = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', weekday: 'short' });

/** Short, so that seven columns fit: "Sun 22". */
const dayOf = (day) => `${weekday.format(new Date(day))} ${Number(day.slice(-2))}`;

/** Runs that ended on each of the last days. Every outcome of the version has a row. */
export function endedTable({ ended }, steps) {
  const names = [...new Set([...outcomesOf(steps), ...ended.flatMap(({ outcomes }) => Object.keys(outcomes))])];
  const element = table(
    'Ended on each day (UTC)',
    [{ name: 'Outcome' }, ...ended.map(({ day }) => ({ name: dayOf(day), number: true }))],
    [
      ...names.map((name) => [
        bdiText(name),
        ...ended.map(({ outcomes }) => integerFormat.format(outcomes[name] ?? 0)),
      ]),
      ['Canceled', ...ended.map(({ canceled }) => integerFormat.format(canceled))],
    ],
  );
  element.classList.add('days');
  return element;
}
