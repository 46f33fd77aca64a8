import { useState } from 'preact/hooks';
import { readSettings } from '../../app/settings';
import { Button } from '../../kit/button';
import { Alert } from '../../kit/content';
import { TextArea, TextField } from '../../kit/field';
import { useFlowsTexts } from '../flows-texts';
import { SimulatedRuns } from '../parts/simulated-runs';
import { simulate, type SimulationAnswer, type SimulatedScript } from './simulate';

/** Simulates the flow in the text: with the scripted steps of one person, or with scenarios. Only a local stack can do this. */
export function SimulatePanel({ name, text }: { name: string; text: string }) {
  const { simulate: texts } = useFlowsTexts();
  const { canSimulate } = readSettings('flows');
  const [person, setPerson] = useState('enters the code by sms');
  const [scenarios, setScenarios] = useState('');
  const [answer, setAnswer] = useState<SimulationAnswer>();
  const [isBusy, setBusy] = useState(false);
  const run = async (script: SimulatedScript) => {
    if (isBusy) return;
    setBusy(true);
    setAnswer(undefined);
    setAnswer(await simulate({ name: name || 'new-flow', text, ...script }));
    setBusy(false);
  };
  return (
    <section class="card block simulate" aria-labelledby="simulate">
      <h2 id="simulate">{texts.heading}</h2>
      {!canSimulate && <p>{texts.unavailable}</p>}
      {canSimulate && (
        <>
          <p class="soft">{texts.lead}</p>
          <form
            class="form"
            onSubmit={(event) => {
              event.preventDefault();
              void run({ person });
            }}
          >
            <TextField
              label={texts.person}
              hint={texts.personHint}
              required
              value={person}
              onInput={({ currentTarget }) => setPerson(currentTarget.value)}
            />
            <Button type="submit" isBusy={isBusy}>
              {texts.run}
            </Button>
          </form>
          <form
            class="form"
            onSubmit={(event) => {
              event.preventDefault();
              void run({ scenarios });
            }}
          >
            <TextArea
              label={texts.scenarios}
              hint={texts.scenariosHint}
              rows={6}
              isCode
              value={scenarios}
              onInput={({ currentTarget }) => setScenarios(currentTarget.value)}
            />
            <Button type="submit" isBusy={isBusy}>
              {texts.runScenarios}
            </Button>
          </form>
          <div role="status">{isBusy && <p>{texts.running}</p>}</div>
          {answer && 'error' in answer && (
            <Alert tone="bad">
              <p class="strong">{texts.error}</p>
              <pre class="problem">{answer.error}</pre>
            </Alert>
          )}
          {answer && 'isUnreachable' in answer && <Alert tone="bad">{texts.unreachable}</Alert>}
          {answer && 'runs' in answer && <SimulatedRuns runs={answer.runs} />}
        </>
      )}
    </section>
  );
}
