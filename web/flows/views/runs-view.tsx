import { callApi } from '../../app/call-api';
import { View } from '../../app/view';
import { hashes } from '../addresses';
import type { FlowRun } from '../data';
import { useFlowsTexts } from '../flows-texts';
import { FindRuns } from '../parts/find-runs';
import { Reasons } from '../parts/path';
import { StatusTag } from '../parts/tags';
import { Instant } from '../times';

/** Reads the flow runs of a transaction. */
export const readRuns = (id: string, signal: AbortSignal): Promise<readonly FlowRun[]> =>
  callApi('get', '/v1/transaction/{id}/flows', { path: { id }, signal });

function Row({ transaction, run }: { transaction: string; run: FlowRun }) {
  const texts = useFlowsTexts();
  return (
    <li>
      <a class="row" href={hashes.run(transaction, run.runId)}>
        <span class="strong">
          <bdi>{run.flow}</bdi>
          {` ${texts.version(run.version).toLowerCase()}`}
        </span>
        <span class="soft">
          {`${texts.run.started} `}
          <Instant iso={run.startedAt} />
        </span>
        <span>
          <StatusTag {...run} />
        </span>
        <span class="soft small">
          {`${run.status === 'Running' ? texts.run.nowAt : texts.run.endedAt} `}
          <bdi>{run.step}</bdi>
        </span>
        {run.path.some(({ reason }) => reason !== undefined) && (
          <span class="soft small walk">
            <Reasons path={run.path} />
          </span>
        )}
      </a>
    </li>
  );
}

/** The flow runs of a transaction, newest first. */
export function RunsView({ transaction, runs }: { transaction: string; runs: readonly FlowRun[] }) {
  const texts = useFlowsTexts();
  const heading = (
    <>
      {texts.run.ofTransaction}
      <span class="mono">
        <bdi>{transaction}</bdi>
      </span>
    </>
  );
  return (
    <View heading={heading} tab={texts.run.tabOfList}>
      <div class="line">
        <p class="soft">{runs.length === 0 ? texts.run.none : `${texts.run.newestFirst} ${texts.zone}`}</p>
        <a href={hashes.flows}>{texts.allFlows}</a>
      </div>
      <FindRuns transaction={transaction} />
      <ul class="rows">
        {runs.map((run) => (
          <Row transaction={transaction} run={run} />
        ))}
      </ul>
    </View>
  );
}
