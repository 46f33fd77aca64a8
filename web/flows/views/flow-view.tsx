import { useCallback, useState } from 'preact/hooks';
import { callApi } from '../../app/call-api';
import { currentLanguage } from '../../app/language';
import { useStore } from '../../app/store';
import { View } from '../../app/view';
import { ButtonLink } from '../../kit/button';
import { ChoiceGroup } from '../../kit/choice-group';
import { Tag } from '../../kit/content';
import { hashes, periodDefault } from '../addresses';
import type { FlowCounts, FlowDefinition, FlowDetails, FlowTemplate } from '../data';
import { useFlowsTexts } from '../flows-texts';
import { Diagram } from '../parts/diagram';
import { LiveLine } from '../parts/live-line';
import { EndedTable, OutcomesTable, StepsTable } from '../parts/numbers';
import { StepsPanel } from '../parts/steps-panel';
import { DeletedTag } from '../parts/tags';
import { usePolling } from '../parts/use-polling';
import { VersionList } from '../parts/version-list';
import { formatNumber } from '../times';
import { VersionActions } from './version-actions';

/** What the number on each step of the diagram counts: the flow runs that entered the step, or those that are at the step now. */
type CountKind = 'entered' | 'current';

/** The period of the numbers, in days. */
const days = periodDefault;

const readCounts = (name: string, version: number, signal: AbortSignal) =>
  callApi('get', '/v1/flows/{name}/versions/{version}/counts', {
    path: { name, version: String(version) },
    ...{ query: { days }, signal },
  });

const readDiagram = async (name: string, version: number, counts: CountKind, signal: AbortSignal): Promise<string> =>
  callApi('get', '/v1/flows/{name}/versions/{version}/diagram.svg', {
    path: { name, version: String(version) },
    ...{ query: { days, counts }, signal },
  });

interface LoadedFlow {
  flow: FlowDetails;
  /** The number of the shown version. The fields below belong to this version. */
  chosen: number;
  definition: FlowDefinition;
  isDeleted: boolean;
  templates: readonly FlowTemplate[];
  counts: FlowCounts;
  /** The diagram, as the text of an SVG. */
  svg: string;
}

/** Reads a flow with one version. Without `version`, reads the active version, or the newest version if none is active. */
export async function readFlow(name: string, version: number | undefined, signal: AbortSignal): Promise<LoadedFlow> {
  const flow = await callApi('get', '/v1/flows/{name}', {
    path: { name },
    query: { deleted: true, limit: 25 },
    signal,
  });
  const chosen = version ?? flow.active ?? flow.newest;
  const path = { name, version: String(chosen) };
  const [{ definition, deletedAt }, counts, svg, { templates }] = await Promise.all([
    callApi('get', '/v1/flows/{name}/versions/{version}', { path, query: { deleted: true }, signal }),
    readCounts(name, chosen, signal),
    readDiagram(name, chosen, 'entered', signal),
    callApi('get', '/v1/flows/templates', { signal }),
  ]);
  return { flow, chosen, definition, isDeleted: deletedAt !== undefined, templates, counts, svg };
}

/** The choice of what the numbers in the diagram count. */
function KindChoice({ kind, onChoose }: { kind: CountKind; onChoose: (kind: CountKind) => void }) {
  const { diagram } = useFlowsTexts();
  const choices = (['entered', 'current'] as const).map((value) => ({ value, label: diagram[value] }));
  return (
    <div class="count-kinds small">
      <span class="soft" aria-hidden="true">
        {diagram.stepCounts}
      </span>
      <ChoiceGroup legend={diagram.stepCounts} choices={choices} value={kind} onChange={onChoose} />
    </div>
  );
}

function VersionTag({ flow, chosen, isDeleted }: Pick<LoadedFlow, 'flow' | 'chosen' | 'isDeleted'>) {
  const texts = useFlowsTexts();
  if (chosen === flow.active) return <Tag tone="good">{texts.active}</Tag>;
  if (!isDeleted) return <Tag>{texts.notActive}</Tag>;
  return <DeletedTag running={flow.versions.find(({ version }) => version === chosen)?.running} />;
}

/** The numbers and the diagram of a version. Both refresh while the view is shown. */
function useNumbers({ flow: { name }, chosen, counts, svg }: LoadedFlow) {
  const [kind, setKind] = useState<CountKind>('entered');
  const language = useStore(currentLanguage);
  const [shown, setShown] = useState({ counts, svg, kind, language });
  const refresh = async (signal: AbortSignal) => {
    const newCounts = await readCounts(name, chosen, signal);
    const same = JSON.stringify({ ...newCounts, since: '' }) === JSON.stringify({ ...shown.counts, since: '' });
    if (same && shown.kind === kind && shown.language === language) return;
    const newSvg = await readDiagram(name, chosen, kind, signal);
    if (!signal.aborted) setShown({ counts: newCounts, svg: newSvg, kind, language });
  };
  const freshness = usePolling(refresh, { key: `${kind} ${language}` });
  return { ...shown, chosenKind: kind, freshness, choose: setKind };
}

/** A version of a flow: its diagram, numbers, texts, and what can be done with it. */
export function FlowView({ loaded, onChanged }: { loaded: LoadedFlow; onChanged: () => void }) {
  const { flow, chosen, definition, isDeleted, templates } = loaded;
  const texts = useFlowsTexts();
  const { counts, svg, kind, chosenKind, freshness, choose } = useNumbers(loaded);
  const id = { name: flow.name, version: chosen };
  const { steps, title } = definition;
  /** A step of the diagram links to the runs that its number counts. */
  const linkOf = useCallback(
    (step: string) => {
      const filter = steps[step]?.kind === 'outcome' ? 'entered' : kind;
      const href = hashes.runList(flow.name, chosen, { filter, value: step });
      return Object.hasOwn(steps, step) ? { href, name: texts.diagram.runsAt(step) } : undefined;
    },
    [kind, texts],
  );
  const numbers = { counts, steps, id };
  return (
    <View heading={<bdi>{flow.name}</bdi>} tab={flow.name}>
      <div class="line">
        <p class="soft title">{title ? <bdi>{title}</bdi> : texts.noTitle}</p>
        <a href={hashes.flows}>{texts.allFlows}</a>
      </div>
      <div class="sides">
        <section class="main-side" aria-labelledby="version">
          <div class="line">
            <h2 id="version">
              {`${texts.version(chosen)} `}
              <VersionTag flow={flow} chosen={chosen} isDeleted={isDeleted} />
            </h2>
            <VersionActions
              flow={flow}
              chosen={chosen}
              definition={definition}
              isDeleted={isDeleted}
              onChanged={onChanged}
            />
          </div>
          <KindChoice kind={chosenKind} onChoose={choose} />
          <Diagram label={texts.diagram.ofVersion(chosen)} svg={svg} linkOf={linkOf} />
          <StepsPanel definition={definition} templates={templates} />
        </section>
        <div class="side">
          <div class="card block">
            <h2>{texts.numbers.runs}</h2>
            <p>{texts.numbers.runsInDays(counts.runs, formatNumber(counts.runs), days)}</p>
            <LiveLine freshness={freshness} />
            <ButtonLink tone="small" href={hashes.runList(flow.name, chosen, { filter: 'all', value: '' })}>
              {texts.runList.show}
            </ButtonLink>
            <OutcomesTable {...numbers} />
            <EndedTable {...numbers} />
            <StepsTable {...numbers} />
          </div>
          <div class="card block">
            <h2 id="versions">{texts.versions}</h2>
            <p class="soft small">{texts.zone}</p>
            <VersionList flow={flow} chosen={chosen} labelledBy="versions" />
          </div>
        </div>
      </div>
    </View>
  );
}
