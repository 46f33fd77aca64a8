import { foreign } from '../../team-page/page/elements.mjs';
import { table } from './table.mjs';

const whole = new Intl.NumberFormat('en-GB');
const percent = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 1 });

const shareOf = (count, runs) => (runs === 0 ? '–' : percent.format(count / runs));

const sum = (counts) => Object.values(counts).reduce((total, count) => total + count, 0);

export const runsWords = (runs) => `${whole.format(runs)} ${runs === 1 ? 'run' : 'runs'}`;

/** What became of all runs, the most frequent first. Every outcome that the version can come to has its row. */
export function outcomesTable({ runs, canceled, here, outcomes }, steps) {
  const names = Object.values(steps).flatMap(({ kind, outcome }) => (kind === 'outcome' ? [outcome] : []));
  const counts = { ...Object.fromEntries(names.map((name) => [name, 0])), ...outcomes };
  const ends = Object.entries(counts).toSorted(([, one], [, other]) => other - one);
  const others = [
    ['Ended by the caller', canceled],
    ['Still running', sum(here)],
  ];
  return table(
    'Outcomes',
    [{ name: 'Outcome' }, { name: 'Runs', number: true }, { name: 'Share', number: true }],
    [...ends.map(([name, count]) => [foreign(name), count]), ...others].map(([name, count]) => [
      name,
      whole.format(count),
      shareOf(count, runs),
    ]),
  );
}

/** The numbers of the diagram as a table, in the order in which the author wrote the steps. */
export function stepsTable({ here, entered }, steps) {
  const names = Object.keys(steps).filter((name) => steps[name].kind !== 'outcome');
  return table(
    'Steps',
    [
      { name: 'Step' },
      { name: 'Kind', spare: true },
      { name: 'There now', number: true },
      { name: 'Entered', number: true },
    ],
    names.map((name) => [
      foreign(name),
      steps[name].kind,
      whole.format(here[name] ?? 0),
      whole.format(entered[name] ?? 0),
    ]),
  );
}
