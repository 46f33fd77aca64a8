import { callApi } from '../../app/call-api';
import { View } from '../../app/view';
import { SelectField } from '../../kit/field';
import { hashes, periodDefault, periods, type RunFilter, runFilters, type RunSelection } from '../addresses';
import { type FlowDefinition, outcomesOf, type VersionRun } from '../data';
import { useFlowsTexts } from '../flows-texts';
import { PathLine } from '../parts/path';
import { StatusTag } from '../parts/tags';
import { Instant } from '../times';

/** The API returns at most this many flow runs. */
const runsMax = 50;

/** Which flow runs are in the list. `days`: how far back they may have started. */
interface ListedRuns extends RunSelection {
  name: string;
  version: number;
  days: number;
}

interface LoadedRuns extends ListedRuns {
  runs: readonly VersionRun[];
  steps: FlowDefinition['steps'];
  /** The versions of the flow, newest first. */
  versions: readonly number[];
}

type Status = 'Running' | 'Completed' | 'Canceled';

/** The query parameters of each filter. */
const queries: Record<RunFilter, (value: string) => object> = {
  all: () => ({}),
  entered: (step) => ({ step, counts: 'entered' }),
  current: (step) => ({ step, counts: 'current' }),
  outcome: (outcome) => ({ outcome }),
  status: (status) => ({ status }),
};

/** Reads the flow runs of the list, and the steps and versions for its filters. */
export async function readRunList(selection: ListedRuns, signal: AbortSignal): Promise<LoadedRuns> {
  const { name, version, days, filter, value } = selection;
  const path = { name, version: String(version) };
  const query = { days, ...queries[filter](value) };
  const [{ definition }, { runs }, flow] = await Promise.all([
    callApi('get', '/v1/flows/{name}/versions/{version}', { path, query: { deleted: true }, signal }),
    callApi('get', '/v1/flows/{name}/versions/{version}/runs', { path, query, signal }),
    callApi('get', '/v1/flows/{name}', { path: { name }, query: { deleted: true, limit: 100 }, signal }),
  ]);
  const versions = new Set([version, ...flow.versions.map((one) => one.version)]);
  return { ...selection, runs, steps: definition.steps, versions: [...versions].toSorted((one, other) => other - one) };
}

function Heading({ name, filter, value }: ListedRuns) {
  const { headings } = useFlowsTexts().runList;
  if (filter === 'status') return <>{headings.statuses[value as Status] ?? value}</>;
  return (
    <>
      {headings[filter]}
      <bdi>{filter === 'all' ? name : value}</bdi>
    </>
  );
}

function Lead({ filter, value, runs, days }: LoadedRuns) {
  const { runList, zone } = useFlowsTexts();
  const { lead } = runList;
  const period = filter === 'status' && value === 'Running' ? '' : lead.inDays(days);
  if (runs.length === 0) return <>{lead.none(period)}</>;
  return <>{`${runs.length < runsMax ? lead.all(period) : lead.newest(runsMax, period)} ${zone}`}</>;
}

/** A filter and its value, as the value of an option in a select field. */
const encode = ({ filter, value }: RunSelection) => `${filter} ${value}`;

function decode(text: string): RunSelection {
  const filter = runFilters.find((one) => text.startsWith(`${one} `)) ?? 'all';
  return { filter, value: text.slice(filter.length + 1) };
}

function Filters({ name, version, days, filter, value, steps, versions }: LoadedRuns) {
  const { runList, version: versionText, run } = useFlowsTexts();
  const inner = Object.keys(steps).filter((step) => steps[step]?.kind !== 'outcome');
  const option = (one: RunFilter, label: (text: string) => string) => (text: string) => ({
    value: encode({ filter: one, value: text }),
    label: label(text),
  });
  const options = [
    { value: encode({ filter: 'all', value: '' }), label: runList.allRuns },
    ...(['Running', 'Completed', 'Canceled'] as const).map((status) => ({
      ...{ value: encode({ filter: 'status', value: status }), label: runList.status(run.statuses[status]) },
    })),
    ...outcomesOf(steps).map(option('outcome', runList.outcome)),
    ...inner.map(option('entered', runList.entered)),
    ...inner.map(option('current', runList.current)),
  ];
  const shown = encode({ filter, value });
  // The diagram also links to the runs that entered a step of the kind `outcome`, and the numbers to the runs that ended as NotDecided. The
  // options above have neither, so the shown one is added here.
  if (!options.some((one) => one.value === shown))
    options.push(option(filter, filter === 'outcome' ? runList.outcome : runList.entered)(value));
  const open = (changed: Partial<ListedRuns>) => {
    const next = { name, version, days, filter, value, ...changed };
    location.hash = hashes.runList(next.name, next.version, next, next.days);
  };
  return (
    <form class="filters" aria-label={runList.filters} onSubmit={(event) => event.preventDefault()}>
      <SelectField
        label={runList.version}
        value={String(version)}
        options={versions.map((one) => ({ value: String(one), label: versionText(one) }))}
        // Another version perhaps does not have the same step or outcome. So the filter stays only if it is a filter by status.
        onChange={(text) =>
          open({ version: Number(text), ...(filter === 'status' ? {} : { filter: 'all', value: '' }) })
        }
      />
      <SelectField label={runList.which} value={shown} options={options} onChange={(text) => open(decode(text))} />
      <SelectField
        label={runList.period}
        value={String(days)}
        options={periods.map((one) => ({ value: String(one), label: runList.days(one) }))}
        onChange={(text) => open({ days: Number(text) || periodDefault })}
      />
    </form>
  );
}

function Row({ run }: { run: VersionRun }) {
  const { run: texts } = useFlowsTexts();
  const { transactionId, runId, startedAt, endedAt, path } = run;
  return (
    <li>
      <a class="row" href={hashes.run(transactionId, runId)}>
        <span class="strong walk">
          <PathLine path={path} />
        </span>
        <span class="soft">
          {`${texts.transaction} `}
          <span class="mono">
            <bdi>{transactionId}</bdi>
          </span>
        </span>
        <span>
          <StatusTag {...run} />
        </span>
        <span class="soft">
          {`${texts.started} `}
          <Instant iso={startedAt} />
          {endedAt && (
            <>
              {`, ${texts.ended.toLowerCase()} `}
              <Instant iso={endedAt} />
            </>
          )}
        </span>
        <span class="soft">
          {`${texts.run} `}
          <span class="mono">
            <bdi>{runId}</bdi>
          </span>
        </span>
      </a>
    </li>
  );
}

/** A list of the newest flow runs of a version that match a filter. The numbers of the version link to this list. */
export function RunListView({ loaded }: { loaded: LoadedRuns }) {
  const texts = useFlowsTexts();
  const { name, version, runs } = loaded;
  return (
    <View heading={<Heading {...loaded} />} tab={texts.runList.tab(name)}>
      <div class="line">
        <p class="soft">
          <bdi>{name}</bdi>
          {` ${texts.version(version).toLowerCase()}. `}
          <Lead {...loaded} />
        </p>
        <a href={hashes.version(name, version)}>{texts.version(version)}</a>
      </div>
      <Filters {...loaded} />
      <ul class="rows">
        {runs.map((run) => (
          <Row run={run} />
        ))}
      </ul>
    </View>
  );
}
