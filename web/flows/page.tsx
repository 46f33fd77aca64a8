import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Failure } from '../app/failure';
import { appTexts } from '../app/app-texts';
import { useHash } from '../app/use-hash';
import { useLoaded } from '../app/use-loaded';
import { useTexts } from '../app/use-texts';
import { hashes, parseHash, type Place } from './addresses';
import { useFlowsTexts } from './flows-texts';
import { EditView, readText } from './views/edit-view';
import { FlowView, readFlow } from './views/flow-view';
import { FlowsView, readFlows } from './views/flows-view';
import { readRunList, RunListView } from './views/run-list-view';
import { readRun, RunView } from './views/run-view';
import { readRuns, RunsView } from './views/runs-view';

/** Renders a view with the data that it already has. `reload`: reads the data again, and shows the view again. */
type Render = (reload: () => void) => ComponentChildren;

/** Reads the data of a view. Resolves to a function that renders the view. */
async function readView(place: Place, signal: AbortSignal): Promise<Render> {
  switch (place.view) {
    case 'flow': {
      const loaded = await readFlow(place.name, place.version, signal);
      return (reload) => <FlowView loaded={loaded} onChanged={reload} />;
    }
    case 'edit': {
      const loaded = await readText(place, signal);
      return () => <EditView loaded={loaded} />;
    }
    case 'runList': {
      const loaded = await readRunList(place, signal);
      return () => <RunListView loaded={loaded} />;
    }
    case 'runs': {
      const runs = await readRuns(place.transaction, signal);
      return () => <RunsView transaction={place.transaction} runs={runs} />;
    }
    case 'run': {
      const loaded = await readRun(place.transaction, place.run, signal);
      return () => <RunView loaded={loaded} />;
    }
    default: {
      const flows = await readFlows(signal);
      return () => <FlowsView flows={flows} />;
    }
  }
}

/** The view of the current hash. The earlier view stays while the data loads. */
export function Page() {
  const texts = useFlowsTexts();
  const { loading } = useTexts(appTexts);
  const hash = useHash();
  // Counts changes. After a change, the page shows the same view again as a new view, with the message about the change.
  const [round, setRound] = useState(0);
  const { key, value, error, reload } = useLoaded(`${round} ${hash}`, (signal) => readView(parseHash(hash), signal));
  if (error !== undefined)
    return (
      <Failure
        key={key}
        error={error}
        tab={texts.flows}
        scopeHint={texts.scopeHint}
        passages={texts.problems}
        onRetry={reload}
        back={<a href={hashes.flows}>{texts.allFlows}</a>}
      />
    );
  if (!value) return <p class="soft">{loading}</p>;
  return <div key={key}>{value(() => setRound((current) => current + 1))}</div>;
}
