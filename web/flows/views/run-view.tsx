import { useState } from 'preact/hooks';
import { ApiProblem, callApi } from '../../app/call-api';
import { currentLanguage } from '../../app/language';
import { useStore } from '../../app/store';
import { View } from '../../app/view';
import { hashes } from '../addresses';
import type { FlowRun } from '../data';
import { useFlowsTexts } from '../flows-texts';
import { Diagram } from '../parts/diagram';
import { LiveLine } from '../parts/live-line';
import { PathTable } from '../parts/path';
import { RunFacts } from '../parts/run-facts';
import { usePolling } from '../parts/use-polling';

interface LoadedRun {
  transaction: string;
  run: FlowRun;
  /** The diagram with the path of the run. Undefined if the version of the run does not exist any more. */
  svg: string | undefined;
}

export async function readRun(transaction: string, runId: string, signal: AbortSignal): Promise<LoadedRun> {
  const path = { id: transaction, runId };
  const diagram = callApi('get', '/v1/transaction/{id}/flows/runs/{runId}/diagram.svg', { path, signal }).catch(
    (error: unknown) => {
      if (error instanceof ApiProblem && error.code === 'flow_version_not_found') return undefined;
      throw error;
    },
  );
  const [run, svg] = await Promise.all([
    callApi('get', '/v1/transaction/{id}/flows/runs/{runId}', { path, signal }),
    diagram,
  ]);
  return { transaction, run, svg };
}

/** A flow run with its path in the diagram. The view refreshes until the run ends. */
export function RunView({ loaded: first }: { loaded: LoadedRun }) {
  const texts = useFlowsTexts();
  const language = useStore(currentLanguage);
  const [{ transaction, run, svg, drawnIn }, setLoaded] = useState({ ...first, drawnIn: language });
  const isRunning = run.status === 'Running';
  const refresh = async (signal: AbortSignal) => {
    const loaded = await readRun(transaction, run.runId, signal);
    if (!signal.aborted) setLoaded({ ...loaded, drawnIn: language });
  };
  const freshness = usePolling(refresh, { isActive: isRunning || drawnIn !== language, key: language });
  const heading = (
    <>
      {texts.run.of}
      <bdi>{run.flow}</bdi>
    </>
  );
  return (
    <View heading={heading} tab={texts.run.tab(run.flow)}>
      <div class="line">
        <p class="soft">
          {texts.run.byVersion}
          <a href={hashes.version(run.flow, run.version)}>{texts.version(run.version).toLowerCase()}</a>
          {`, ${texts.run.transaction.toLowerCase()} `}
          <span class="mono whole">
            <bdi>{transaction}</bdi>
          </span>
          {`. ${texts.zone}`}
        </p>
        <a href={hashes.runs(transaction)}>{texts.run.allOfTransaction}</a>
      </div>
      <div class="sides">
        <div class="main-side">
          <Diagram label={texts.diagram.ofRun} svg={svg} missing={texts.diagram.versionDeleted} />
        </div>
        <div class="side">
          <div class="card block">
            {isRunning && <LiveLine freshness={freshness} />}
            <RunFacts run={run} />
          </div>
          <div class="card block">
            <PathTable {...run} />
          </div>
        </div>
      </div>
    </View>
  );
}
