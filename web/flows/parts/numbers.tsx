import type { ComponentChildren } from 'preact';
import { hashes, type RunFilter } from '../addresses';
import type { FlowCounts, FlowDefinition, FlowVersionId } from '../data';
import { outcomesOf } from '../data';
import { useFlowsTexts } from '../flows-texts';
import { formatDay, formatNumber, formatShare } from '../times';
import { DataTable } from './data-table';

interface NumbersProps {
  counts: FlowCounts;
  steps: FlowDefinition['steps'];
  id: FlowVersionId;
}

/** A link to the list of the flow runs that a number counts. */
const RunsLink = ({
  id,
  filter,
  value,
  children,
}: {
  id: FlowVersionId;
  filter: RunFilter;
  value: string;
  children: ComponentChildren;
}) => <a href={hashes.runList(id.name, id.version, { filter, value })}>{children}</a>;

const sum = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((total, count) => total + count, 0);

/** The number of flow runs with each outcome, and their share of all runs. The most frequent outcome comes first. */
export function OutcomesTable({ counts: { runs, canceled, current, outcomes }, steps, id }: NumbersProps) {
  const { numbers } = useFlowsTexts();
  const counts = { ...Object.fromEntries(outcomesOf(steps).map((name) => [name, 0])), ...outcomes };
  const sorted = Object.entries(counts).toSorted(([, one], [, other]) => other - one);
  const row = (filter: RunFilter, value: string, text: ComponentChildren, count: number) => [
    <RunsLink id={id} filter={filter} value={value}>
      {text}
    </RunsLink>,
    formatNumber(count),
    formatShare(count, runs),
  ];
  return (
    <DataTable
      caption={numbers.outcomes}
      columns={[
        { name: numbers.outcome },
        { name: numbers.runs, isNumber: true },
        { name: numbers.share, isNumber: true },
      ]}
      rows={[
        ...sorted.map(([name, count]) => row('outcome', name, <bdi>{name}</bdi>, count)),
        row('status', 'Canceled', numbers.canceled, canceled),
        row('status', 'Running', numbers.stillRunning, sum(current)),
      ]}
    />
  );
}

/** The numbers of the diagram as a table. The steps are in the order of the flow. */
export function StepsTable({ counts: { current, entered }, steps, id }: NumbersProps) {
  const { numbers } = useFlowsTexts();
  const inner = Object.entries(steps).filter(([, { kind }]) => kind !== 'outcome');
  return (
    <DataTable
      caption={numbers.steps}
      columns={[
        { name: numbers.step },
        { name: numbers.kind, isHiddenOnNarrowScreens: true },
        { name: numbers.atItNow, isNumber: true },
        { name: numbers.entered, isNumber: true },
      ]}
      rows={inner.map(([name, { kind }]) => [
        <RunsLink id={id} filter="entered" value={name}>
          <bdi>{name}</bdi>
        </RunsLink>,
        kind,
        current[name] ? (
          <RunsLink id={id} filter="current" value={name}>
            {formatNumber(current[name])}
          </RunsLink>
        ) : (
          formatNumber(0)
        ),
        formatNumber(entered[name] ?? 0),
      ])}
    />
  );
}

/** How many flow runs ended on each of the last days. Every outcome of the version has a row. */
export function EndedTable({ counts: { ended }, steps }: NumbersProps) {
  const { numbers } = useFlowsTexts();
  const names = [...new Set([...outcomesOf(steps), ...ended.flatMap(({ outcomes }) => Object.keys(outcomes))])];
  return (
    <DataTable
      isDense
      caption={numbers.endedByDay}
      columns={[{ name: numbers.outcome }, ...ended.map(({ day }) => ({ name: formatDay(day), isNumber: true }))]}
      rows={[
        ...names.map((name) => [<bdi>{name}</bdi>, ...ended.map(({ outcomes }) => formatNumber(outcomes[name] ?? 0))]),
        [numbers.canceled, ...ended.map(({ canceled }) => formatNumber(canceled))],
      ]}
    />
  );
}
