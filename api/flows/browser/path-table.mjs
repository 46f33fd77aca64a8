import { bdiText, h } from '../../pages/browser/elements.mjs';
import { table } from './table.mjs';
import { isSameDay, durationText, timeElement, timeOfDayElement } from './times.mjs';

/** The exit of a decide step can be the number of a rule. */
export const exitText = (exit) => (/^\d+$/.test(exit) ? `rule ${exit}` : exit);

function exitCell({ exit, reason }) {
  if (exit === undefined) return '–';
  return [bdiText(exitText(exit)), reason ? h('span', { class: 'why soft small' }, bdiText(reason)) : undefined];
}

/** Returns the exits of a run that have a reason, for a list of runs. */
export const reasonsOf = ({ path }) =>
  path
    .filter(({ reason }) => reason !== undefined)
    .flatMap(({ step, exit, reason }, at) => [
      at > 0 ? '; ' : '',
      bdiText(step),
      ` \u2013 ${exitText(exit ?? '')} (`,
      bdiText(reason),
      ')',
    ]);

/** The visits of a run, oldest first. */
export const pathTable = ({ path, startedAt, endedAt }) => {
  const formatTime = endedAt === undefined || isSameDay(startedAt, endedAt) ? timeOfDayElement : timeElement;
  return table(
    'Path',
    [{ name: 'Step' }, { name: 'Entered' }, { name: 'Duration', number: true }, { name: 'Exit' }],
    path.map((visit) => [
      bdiText(visit.step),
      formatTime(visit.enteredAt),
      visit.leftAt ? durationText(visit.enteredAt, visit.leftAt) : '–',
      exitCell(visit),
    ]),
  );
};
