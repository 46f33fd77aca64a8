import type { Passage } from '../../app/texts/texts';
import type { components } from '../../api-types';

/** The texts of the page /flows. In this page, a run is a flow run. The English texts in en.ts show what each field is for. */
export interface FlowsTexts {
  signIn: { heading: string; lead: string };
  scopeHint: string;
  writeScopeHint: string;
  /** The note in the bar of a local stack, which needs no sign-in. */
  localStack: string;
  localStackName: string;
  /** The texts that replace those of a problem, by problem code. */
  problems: Record<
    'flow_not_found' | 'flow_version_not_found' | 'transaction_not_found' | 'run_not_found' | 'validation_failed',
    Passage
  >;
  flows: string;
  allFlows: string;
  noFlows: string;
  sortedByName: string;
  newFlow: string;
  noTitle: string;
  /** Where a flow comes from. `code`: it is built in. `api`: somebody saved it. */
  sources: Record<'code' | 'api', string>;
  versionActive: (version: number) => string;
  noActiveVersion: string;
  newestVersion: (version: number) => string;
  /** `running`: how many runs have not ended. */
  deleted: (running: number | undefined) => string;
  findRuns: { label: string; submit: string };
  version: (version: number) => string;
  versions: string;
  active: string;
  notActive: string;
  earlierVersions: string;
  earlierFailed: string;
  moreShown: (count: number) => string;
  createdBy: string;
  deletedOn: string;
  by: string;
  zone: string;
  diagram: {
    ofVersion: (version: number) => string;
    ofRun: string;
    ofText: string;
    larger: string;
    whole: string;
    broken: string;
    versionDeleted: string;
    notDrawable: string;
    /** Above the diagram of an earlier text, while the current text cannot be drawn. */
    ofEarlierText: string;
    /** The start of a sentence. Its end is `entered` or `current`. */
    stepCounts: string;
    entered: string;
    current: string;
    runsAt: (step: string) => string;
  };
  numbers: {
    runs: string;
    /** `runs` decides between singular and plural. `shownRuns`: the same number as a text. */
    runsInDays: (runs: number, shownRuns: string, days: number) => string;
    live: (time: string) => string;
    stale: (time: string) => string;
    outcomes: string;
    outcome: string;
    /** The heading of a column, which shows the share of each outcome in all runs. */
    share: string;
    canceled: string;
    stillRunning: string;
    steps: string;
    step: string;
    kind: string;
    atItNow: string;
    entered: string;
    endedByDay: string;
  };
  runList: {
    tab: (flow: string) => string;
    /**
     * After `all`, `entered`, `current` and `outcome`, the page shows the name of the flow, step or outcome. A text of `statuses` is a
     * complete heading.
     */
    headings: {
      all: string;
      entered: string;
      current: string;
      outcome: string;
      statuses: Record<'Running' | 'Completed' | 'Canceled', string>;
    };
    /** `period`: a text from `inDays`, or empty for all times. */
    lead: {
      none: (period: string) => string;
      all: (period: string) => string;
      newest: (count: number, period: string) => string;
      inDays: (days: number) => string;
    };
    filters: string;
    version: string;
    which: string;
    period: string;
    days: (days: number) => string;
    allRuns: string;
    status: (status: string) => string;
    outcome: (outcome: string) => string;
    entered: (step: string) => string;
    current: (step: string) => string;
    show: string;
  };
  run: {
    of: string;
    tab: (flow: string) => string;
    byVersion: string;
    transaction: string;
    allOfTransaction: string;
    ofTransaction: string;
    none: string;
    newestFirst: string;
    tabOfList: string;
    run: string;
    state: string;
    waitsFor: string;
    until: string;
    started: string;
    ended: string;
    duration: string;
    nowAt: string;
    endedAt: string;
    path: string;
    step: string;
    entered: string;
    exit: string;
    rule: (number: string) => string;
    underASecond: string;
    statuses: Record<'Running' | 'Canceled' | 'Completed', string>;
    channels: Record<components['schemas']['Channel'], string>;
    awaited: {
      token: (channel: string) => string;
      reply: (channel: string) => string;
      images: string;
      decision: string;
      time: string;
    };
  };
  steps: {
    heading: string;
    language: string;
    lead: string;
    start: string;
    kinds: Record<'confirm' | 'biometrics' | 'decide' | 'wait' | 'notify' | 'outcome', string>;
    code: (channel: string) => string;
    question: (channel: string) => string;
    noText: string;
    templateText: (name: string) => string;
    ownText: string;
    replies: string;
    subject: string;
    when: string;
    otherwise: string;
    because: string;
    waits: (duration: string) => string;
    sendsEvent: string;
    endsAs: string;
    images: string;
    exits: string;
    unreadable: string;
  };
  edit: {
    action: string;
    heading: (name: string) => string;
    headingNew: string;
    tab: (name: string) => string;
    lead: string;
    leadNew: string;
    name: string;
    nameHint: string;
    text: string;
    keys: string;
    checking: string;
    valid: (duration: string, messages: number, outcomes: string) => string;
    issues: (count: number) => string;
    issueAt: (line: number, column: number) => string;
    notChecked: string;
    save: (version: number) => string;
    saveNew: string;
    saved: (version: number, active: number | undefined) => string;
    unchanged: (version: number) => string;
    restored: string;
    discard: string;
    hasIssues: string;
    nameMissing: string;
    failed: (title: string, detail: string) => string;
    unreachable: string;
    signedOut: string;
    conflict: {
      title: string;
      lead: (version: number, by: string) => string;
      keep: string;
      keepHint: (version: number) => string;
      take: (version: number) => string;
      kept: (version: number) => string;
    };
  };
  change: {
    activate: string;
    activateTitle: (version: number) => string;
    activateLead: (active: number | undefined, version: number) => string;
    activated: (version: number) => string;
    rollBack: string;
    rollBackTitle: (version: number) => string;
    rollBackLead: (active: number, version: number) => string;
    rolledBack: (version: number) => string;
    changed: string;
    compare: string;
    compareTitle: (from: number, to: number) => string;
    diff: (from: string, to: string) => string;
    same: string;
    removed: string;
    added: string;
    lines: (line: number) => string;
    yourText: string;
  };
  simulate: {
    heading: string;
    lead: string;
    unavailable: string;
    person: string;
    /** The heading of a flow run that was simulated with scripted steps, without a scenario. */
    onePerson: string;
    personHint: string;
    run: string;
    scenarios: string;
    scenariosHint: string;
    runScenarios: string;
    running: string;
    passed: string;
    notCompared: string;
    failed: string;
    summary: (count: number, failed: number) => string;
    ended: (outcome: string, duration: string, messages: number) => string;
    notEnded: string;
    unused: string;
    rejected: string;
    timeline: (name: string) => string;
    time: string;
    step: string;
    what: string;
    exit: string;
    message: string;
    error: string;
    unreachable: string;
  };
}
