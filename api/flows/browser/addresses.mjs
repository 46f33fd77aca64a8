const encode = encodeURIComponent;

/** The path of a page of a list. The list includes deleted items that still have runs to show. */
const listPath = (path, limit, after) =>
  `${path}?${new URLSearchParams({ deleted: 'true', limit, ...(after ? { after } : {}) })}`;

/** The query for the runs that a number counts. */
const runQueries = {
  entered: (step) => ({ step, counts: 'entered' }),
  current: (step) => ({ step, counts: 'current' }),
  outcome: (outcome) => ({ outcome }),
  status: (status) => ({ status }),
};

/** Paths of the API. */
export const api = {
  flows: (after) => listPath('/v1/flows', '100', after),
  flow: (name, after) => listPath(`/v1/flows/${encode(name)}`, '25', after),
  version: (name, version) => `/v1/flows/${encode(name)}/versions/${version}`,
  /** The runs that a number counts. `filter`: a key of runQueries. `value`: the step, the outcome or the status. */
  runsAt: (name, version, { filter, value }, days) =>
    `/v1/flows/${encode(name)}/versions/${version}/runs?${new URLSearchParams({ ...runQueries[filter](value), days })}`,
  runs: (transaction) => `/v1/transaction/${encode(transaction)}/flows`,
  run: (transaction, run) => `/v1/transaction/${encode(transaction)}/flows/runs/${encode(run)}`,
};

/** The hash of each view. */
export const hashes = {
  flows: '#/',
  flow: (name) => `#/flows/${encode(name)}`,
  version: (name, version) => `#/flows/${encode(name)}/${version}`,
  runsAt: (name, version, { filter, value }) => `#/flows/${encode(name)}/${version}/${filter}/${encode(value)}`,
  runs: (transaction) => `#/transactions/${encode(transaction)}`,
  run: (transaction, run) => `#/transactions/${encode(transaction)}/${encode(run)}`,
};

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const patterns = [
  [/^#\/flows\/([^/]+)(?:\/([1-9]\d*))?$/, (name, version) => ({ view: 'flow', name, version })],
  [
    /^#\/flows\/([^/]+)\/([1-9]\d*)\/(entered|current|outcome|status)\/([^/]+)$/,
    (name, version, filter, value) => ({ view: 'runsAt', name, version, filter, value }),
  ],
  [/^#\/transactions\/([^/]+)$/, (transaction) => ({ view: 'runs', transaction })],
  [/^#\/transactions\/([^/]+)\/([^/]+)$/, (transaction, run) => ({ view: 'run', transaction, run })],
];

/** Returns the view of a hash, or the list of flows for an unknown hash. */
export function parseHash(hash) {
  for (const [pattern, toView] of patterns) {
    const match = pattern.exec(hash);
    if (match) return toView(...match.slice(1).map((text) => text && decode(text)));
  }
  return { view: 'flows' };
}
