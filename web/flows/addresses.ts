const encode = encodeURIComponent;

/**
 * Which flow runs of a version are in a list. `all`: all flow runs. `entered`: flow runs that have entered a chosen step. `current`: flow
 * runs that are at a chosen step now. `outcome`: flow runs with a chosen outcome. `status`: flow runs with a chosen status, such as
 * `Running`.
 */
export const runFilters = ['all', 'entered', 'current', 'outcome', 'status'] as const;

export type RunFilter = (typeof runFilters)[number];

/** Selects the flow runs of a list. */
export interface RunSelection {
  filter: RunFilter;
  /** The step, the outcome or the status for the filter. Empty for the filter `all`. */
  value: string;
}

/**
 * The periods in days that a user can choose for a list. The list shows only flow runs that started within the period. A list of running
 * flow runs ignores the period.
 */
export const periods = [1, 7, 30, 90] as const;
/** The period that a list has if the hash names no other period. The numbers of a version always have this period. */
export const periodDefault = 7;

/** What the page shows. `transaction` and `run` are ids, and `days` is the period. */
export type Place =
  | { view: 'flows' }
  | { view: 'flow'; name: string; version?: number }
  | { view: 'edit'; name?: string; version?: number }
  | ({ view: 'runList'; name: string; version: number; days: number } & RunSelection)
  | { view: 'runs'; transaction: string }
  | { view: 'run'; transaction: string; run: string };

/** The hash of each view: the part of the address that starts with `#`. */
export const hashes = {
  flows: '#/',
  newFlow: '#/new-flow',
  flow: (name: string) => `#/flows/${encode(name)}`,
  version: (name: string, version: number) => `#/flows/${encode(name)}/${version}`,
  edit: (name: string, version: number) => `#/flows/${encode(name)}/${version}/edit`,
  runList: (name: string, version: number, { filter, value }: RunSelection, days: number = periodDefault) =>
    `#/flows/${encode(name)}/${version}/${filter === 'all' ? 'runs' : `${filter}/${encode(value)}`}${days === periodDefault ? '' : `?days=${days}`}`,
  runs: (transaction: string) => `#/transactions/${encode(transaction)}`,
  run: (transaction: string, run: string) => `#/transactions/${encode(transaction)}/${encode(run)}`,
};

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const daysOf = (text: string | undefined) => periods.find((days) => days === Number(text)) ?? periodDefault;

/** Makes a place from the texts that the groups of a pattern have matched. */
type ReadPlace = (...groups: readonly string[]) => Place;

/** The pattern of each hash, with the function that reads the place from it. */
const patterns: readonly (readonly [RegExp, ReadPlace])[] = [
  [/^#\/new-flow$/, () => ({ view: 'edit' })],
  [/^#\/flows\/([^/?]+)$/, (name = '') => ({ view: 'flow', name })],
  [/^#\/flows\/([^/?]+)\/([1-9]\d*)$/, (name = '', version) => ({ view: 'flow', name, version: Number(version) })],
  [
    /^#\/flows\/([^/?]+)\/([1-9]\d*)\/edit$/,
    (name = '', version) => ({ view: 'edit', name, version: Number(version) }),
  ],
  [
    /^#\/flows\/([^/?]+)\/([1-9]\d*)\/runs(?:\?days=(\d+))?$/,
    (name = '', version, days) => ({
      ...{ view: 'runList', name, version: Number(version), filter: 'all', value: '', days: daysOf(days) },
    }),
  ],
  [
    /^#\/flows\/([^/?]+)\/([1-9]\d*)\/(entered|current|outcome|status)\/([^/?]+)(?:\?days=(\d+))?$/,
    (name = '', version, filter, value = '', days) => ({
      ...{ view: 'runList', name, version: Number(version), filter: filter as RunFilter, value, days: daysOf(days) },
    }),
  ],
  [/^#\/transactions\/([^/]+)$/, (transaction = '') => ({ view: 'runs', transaction })],
  [/^#\/transactions\/([^/]+)\/([^/]+)$/, (transaction = '', run = '') => ({ view: 'run', transaction, run })],
];

/** The view of a hash, or the list of flows for an unknown hash. */
export function parseHash(hash: string): Place {
  for (const [pattern, read] of patterns) {
    const match = pattern.exec(hash);
    if (match) return read(...match.slice(1).map((text) => text && decode(text)));
  }
  return { view: 'flows' };
}
