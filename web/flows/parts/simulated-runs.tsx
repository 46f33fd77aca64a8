import { currentLanguage } from '../../app/language';
import { useStore } from '../../app/store';
import { Tag } from '../../kit/content';
import { useFlowsTexts } from '../flows-texts';
import { formatSeconds } from '../times';
import type { SimulatedRun, TimelineEntry } from '../views/simulate';
import { DataTable } from './data-table';

function Message({ entry: { messages } }: { entry: TimelineEntry }) {
  const { simulate } = useFlowsTexts();
  const language = useStore(currentLanguage);
  const message = messages?.[language];
  if (!message) return null;
  return (
    <details>
      <summary class="small">{simulate.message}</summary>
      <p class="message-body small" lang={language}>
        {message.subject ? `${message.subject}\n${message.body}` : message.body}
      </p>
    </details>
  );
}

/** The time since the start of the flow run, such as "+2 min 5 s". */
const moment = (seconds: number) => `+${seconds < 1 ? '0 s' : formatSeconds(seconds)}`;

/**
 * One simulated flow run. If the user wrote scripted steps and no scenario, the simulator gives the run the name `--person`. The simulator
 * gives some entries the description `exit:`. The page replaces both by texts in the language of the user.
 */
function Run({ run: { name, differences = [], timeline } }: { run: SimulatedRun }) {
  const { simulate, steps } = useFlowsTexts();
  const heading = name === '--person' ? simulate.onePerson : name;
  const { entries, outcome, seconds, sends, unusedScriptedSteps, rejectedScriptedSteps } = timeline;
  const isAsScripted = outcome !== undefined && unusedScriptedSteps.length + rejectedScriptedSteps.length === 0;
  return (
    <li>
      <h3>
        <bdi>{heading}</bdi>{' '}
        {differences.length === 0 ? (
          <Tag tone={isAsScripted ? 'good' : 'warn'}>{outcome ?? simulate.notEnded}</Tag>
        ) : (
          <Tag tone="bad">{simulate.failed}</Tag>
        )}
      </h3>
      {differences.length > 0 && (
        <ul>
          {differences.map((difference) => (
            <li>{difference}</li>
          ))}
        </ul>
      )}
      <p>
        {outcome === undefined ? simulate.notEnded : simulate.ended(outcome, formatSeconds(seconds), sends)}
        {unusedScriptedSteps.length > 0 && ` ${simulate.unused} ${unusedScriptedSteps.join('; ')}.`}
        {rejectedScriptedSteps.length > 0 && ` ${simulate.rejected} ${rejectedScriptedSteps.join('; ')}.`}
      </p>
      <DataTable
        caption={simulate.timeline(heading)}
        columns={[{ name: simulate.time }, { name: simulate.step }, { name: simulate.what }, { name: simulate.exit }]}
        rows={entries.map((entry) => [
          moment(entry.atSeconds),
          <bdi>{entry.step}</bdi>,
          <>
            {entry.description === 'exit:' ? steps.exits : entry.description}
            <Message entry={entry} />
          </>,
          entry.exit ? `${entry.exit}${entry.to ? ` → ${entry.to}` : ''}` : '',
        ])}
      />
    </li>
  );
}

/** The timeline of each simulated run. */
export function SimulatedRuns({ runs }: { runs: readonly SimulatedRun[] }) {
  const { simulate } = useFlowsTexts();
  const compared = runs.flatMap(({ differences }) => (differences === undefined ? [] : [differences]));
  const failed = compared.filter((differences) => differences.length > 0).length;
  const verdict = () => {
    if (compared.length === 0) return simulate.notCompared;
    return runs.length === 1 && failed === 0 ? simulate.passed : simulate.summary(runs.length, failed);
  };
  return (
    <div class="simulated">
      <p class="strong" role="status">
        {verdict()}
      </p>
      <ul class="step-list">
        {runs.map((run) => (
          <Run run={run} />
        ))}
      </ul>
    </div>
  );
}
