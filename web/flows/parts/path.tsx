import type { FlowRun, VersionRun, Visit } from '../data';
import { useFlowsTexts } from '../flows-texts';
import { formatDuration, Instant, isSameDay } from '../times';
import { DataTable } from './data-table';

/** Returns a function that shows an exit as text. The exit of a `decide` step can be the number of a rule, which becomes "rule 1". */
export function useExitText(): (exit: string) => string {
  const { run } = useFlowsTexts();
  return (exit) => (/^\d+$/.test(exit) ? run.rule(exit) : exit);
}

/** The exits of a flow run that have a reason, in one line. */
export function Reasons({ path }: { path: readonly Visit[] }) {
  const exitText = useExitText();
  return (
    <>
      {path
        .filter(({ reason }) => reason !== undefined)
        .map(({ step, exit, reason }, at) => (
          <>
            {at > 0 && '; '}
            <bdi>{step}</bdi>
            {` – ${exitText(exit ?? '')} (`}
            <bdi>{reason}</bdi>)
          </>
        ))}
    </>
  );
}

/** The path of a flow run in one line, with the reasons of its exits. */
export function PathLine({ path }: Pick<VersionRun, 'path'>) {
  const exitText = useExitText();
  return (
    <>
      {path.map(({ step, exit, reason }, at) => (
        <>
          <bdi>{step}</bdi>
          {exit && ` – ${exitText(exit)}`}
          {reason && (
            <span class="soft">
              {' ('}
              <bdi>{reason}</bdi>)
            </span>
          )}
          {at < path.length - 1 && ' → '}
        </>
      ))}
    </>
  );
}

/** The visits of a flow run as a table, oldest first. */
export function PathTable({ path, startedAt, endedAt }: FlowRun) {
  const { run } = useFlowsTexts();
  const exitText = useExitText();
  const isTimeOfDay = endedAt === undefined || isSameDay(startedAt, endedAt);
  return (
    <DataTable
      caption={run.path}
      columns={[{ name: run.step }, { name: run.entered }, { name: run.duration, isNumber: true }, { name: run.exit }]}
      rows={path.map(({ step, enteredAt, leftAt, exit, reason }) => [
        <bdi>{step}</bdi>,
        <Instant iso={enteredAt} isTimeOfDay={isTimeOfDay} />,
        leftAt ? formatDuration(enteredAt, leftAt) : '–',
        exit === undefined ? (
          '–'
        ) : (
          <>
            <bdi>{exitText(exit)}</bdi>
            {reason && (
              <span class="why soft small">
                <bdi>{reason}</bdi>
              </span>
            )}
          </>
        ),
      ])}
    />
  );
}
