const part = encodeURIComponent;

/** Where the API has what the page shows. */
export const api = {
  flows: (after) => `/v1/flows?${new URLSearchParams({ limit: '100', ...(after ? { after } : {}) })}`,
  flow: (name, after) => `/v1/flows/${part(name)}?${new URLSearchParams({ limit: '25', ...(after ? { after } : {}) })}`,
  version: (name, version) => `/v1/flows/${part(name)}/versions/${version}`,
  runs: (transaction) => `/v1/transaction/${part(transaction)}/flows`,
  run: (transaction, run) => `/v1/transaction/${part(transaction)}/flows/${part(run)}`,
};

/** What a view is called in the address of the page. */
export const hashes = {
  flows: '#/',
  flow: (name) => `#/flows/${part(name)}`,
  version: (name, version) => `#/flows/${part(name)}/${version}`,
  runs: (transaction) => `#/transactions/${part(transaction)}`,
  run: (transaction, run) => `#/transactions/${part(transaction)}/${part(run)}`,
};

function plain(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const patterns = [
  [/^#\/flows\/([^/]+)(?:\/([1-9]\d*))?$/, (name, version) => ({ view: 'flow', name, version })],
  [/^#\/transactions\/([^/]+)$/, (transaction) => ({ view: 'runs', transaction })],
  [/^#\/transactions\/([^/]+)\/([^/]+)$/, (transaction, run) => ({ view: 'run', transaction, run })],
];

/** What the address of the page names; the list of flows when it names nothing. */
export function placeOf(hash) {
  for (const [pattern, place] of patterns) {
    const found = pattern.exec(hash);
    if (found) return place(...found.slice(1).map((text) => text && plain(text)));
  }
  return { view: 'flows' };
}
