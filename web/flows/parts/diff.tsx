import { useLoaded } from '../../app/use-loaded';
import { useFlowsTexts } from '../flows-texts';
import { LoadFailure } from './load-failure';

/** How many unchanged lines are shown before and after a change. */
const context = 3;

/** A flow as JSON text. Its fields keep their order. */
export const flowText = (definition: object): string => `${JSON.stringify(definition, null, 2)}\n`;

interface DiffProps {
  from: { name: string; text: string };
  to: { name: string; text: string };
}

/** The changed lines between two texts of a flow, with the lines around them. */
export function Diff({ from, to }: DiffProps) {
  const { change } = useFlowsTexts();
  // The code that compares texts is loaded only here, because most readers never compare versions.
  const { value: diff, error, reload } = useLoaded('', () => import('diff'));
  if (error !== undefined) return <LoadFailure onRetry={reload} />;
  if (!diff) return null;
  const { hunks } = diff.structuredPatch('', '', from.text, to.text, '', '', { context });
  if (hunks.length === 0) return <p>{change.same}</p>;
  const line = (text: string) => {
    const [sign, content] = [text[0], text.slice(1)];
    if (sign === '+')
      return (
        <ins>
          <span class="unseen">{change.added}: </span>
          {content}
        </ins>
      );
    if (sign === '-')
      return (
        <del>
          <span class="unseen">{change.removed}: </span>
          {content}
        </del>
      );
    return <span>{content}</span>;
  };
  return (
    <div class="diff" role="region" aria-label={change.diff(from.name, to.name)} tabIndex={0}>
      {hunks.map(({ newStart, lines }) => (
        <>
          <p class="diff-place">{change.lines(newStart)}</p>
          <pre>{lines.filter((text) => !text.startsWith('\\')).map(line)}</pre>
        </>
      ))}
    </div>
  );
}
