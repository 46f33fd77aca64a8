const encode = encodeURIComponent;

/** Which runs of a version a list has. The value of `entered` and `current` is a step, of `outcome` an outcome, of `status` a status. */
export const runFilters = ['all', 'entered', 'current', 'outcome', 'status'] as const;

export type RunFilter = (typeof runFilters)[number];

/** Selects the runs of a list. `value` is empty for the filter `all`. */
export interface RunSelection {
  filter: RunFilter;
  value: string;
}

/** The periods of the lists and numbers, in days. */
export const periods = [1, 7, 30, 90] as const;
export const periodDefault = 7;

/** What the page shows. */
export type Place =
  | { view: 'flows' }
  | { view: 'flow'; name: string; version?: number }
  | { view: 'edit'; name?: string; version?: number }
  | ({ view: 'runList'; name: string; version: number; days: number } & RunSelection)
  | { view: 'runs'; transaction: string }
  | { view: 'run'; transaction: string; run: string };

/** The hash of each view. */
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

type ReadPlace = (...groups: readonly string[]) => Place;

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
