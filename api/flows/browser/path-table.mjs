import { foreign, h } from '../../pages/browser/elements.mjs';
import { table } from './table.mjs';
import { isSameDay, lasted, moment, momentOfDay } from './times.mjs';

/** The exit of a decision is the number of its rule. */
export const exitText = (exit) => (/^\d+$/.test(exit) ? `rule ${exit}` : exit);

function leftBy({ exit, reason }) {
  if (exit === undefined) return '–';
  return [foreign(exitText(exit)), reason ? h('span', { class: 'why soft small' }, foreign(reason)) : undefined];
}

/** The exits of a run that have a reason, for a list of runs. */
export const reasonsOf = ({ path }) =>
  path
    .filter(({ reason }) => reason !== undefined)
    .flatMap(({ step, exit, reason }, at) => [
      at > 0 ? '; ' : '',
      foreign(step),
      ` \u2013 ${exitText(exit ?? '')} (`,
      foreign(reason),
      ')',
    ]);

/** The visits of a run, oldest first. */
export const pathTable = ({ path, startedAt, endedAt }) => {
  const when = endedAt === undefined || isSameDay(startedAt, endedAt) ? momentOfDay : moment;
  return table(
    'Path',
    [{ name: 'Step' }, { name: 'Entered' }, { name: 'Duration', number: true }, { name: 'Exit' }],
    path.map((visit) => [
      foreign(visit.step),
      when(visit.enteredAt),
      visit.leftAt ? lasted(visit.enteredAt, visit.leftAt) : '–',
      leftBy(visit),
    ]),
  );
};
