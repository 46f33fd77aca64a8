import { callApi } from '../../app/call-api';
import { View } from '../../app/view';
import { ButtonLink } from '../../kit/button';
import { Tag } from '../../kit/content';
import { hashes } from '../addresses';
import type { FlowSummary } from '../data';
import { useFlowsTexts } from '../flows-texts';
import { FindRuns } from '../parts/find-runs';
import { DeletedTag } from '../parts/tags';

/** Reads all flows, in the order of their names. The list also has deleted flows if there are still runs of them. */
export async function readFlows(signal: AbortSignal): Promise<readonly FlowSummary[]> {
  const flows: FlowSummary[] = [];
  let after: string | undefined;
  do {
    const query = { deleted: true, limit: 100, ...(after === undefined ? {} : { after }) };
    const page = await callApi('get', '/v1/flows', { query, signal });
    flows.push(...page.flows);
    after = page.next;
  } while (after !== undefined);
  return flows;
}

function Row({ flow: { name, title, source, active, newest, deletedAt, running } }: { flow: FlowSummary }) {
  const texts = useFlowsTexts();
  return (
    <li>
      <a class="row" href={hashes.flow(name)}>
        <span class="strong">
          <bdi>{name}</bdi>
        </span>
        <span class="soft">{title ? <bdi>{title}</bdi> : texts.noTitle}</span>
        <span class="versions">
          {deletedAt && <DeletedTag running={running} />}
          {active !== undefined && <Tag tone="good">{texts.versionActive(active)}</Tag>}
          {active === undefined && !deletedAt && <Tag>{texts.noActiveVersion}</Tag>}
          {newest !== active && <Tag>{texts.newestVersion(newest)}</Tag>}
        </span>
        <span class="soft small">{texts.sources[source]}</span>
      </a>
    </li>
  );
}

export function FlowsView({ flows }: { flows: readonly FlowSummary[] }) {
  const texts = useFlowsTexts();
  return (
    <View heading={texts.flows} tab={texts.flows}>
      <div class="line">
        <p class="soft">{flows.length === 0 ? texts.noFlows : texts.sortedByName}</p>
        <ButtonLink tone="main" href={hashes.newFlow}>
          {texts.newFlow}
        </ButtonLink>
      </div>
      <FindRuns />
      <ul class="rows">
        {flows.map((flow) => (
          <Row flow={flow} />
        ))}
      </ul>
    </View>
  );
}
