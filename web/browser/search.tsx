import MiniSearch, { type SearchResult } from 'minisearch';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Alert } from '../kit/content';
import { Dialog } from '../kit/dialog';
import { TextField } from '../kit/field';
import type { SearchEntry } from '../site/search-index';

/** The maximum number of results. Readers do not look at more. */
const resultsMax = 12;

type Result = SearchResult & SearchEntry;

/**
 * The factor for the rank of a result. Results on the page of decisions rank lower, because few readers look for the reasons of the design.
 */
const boostDocument = (url: string) => (url.startsWith('/docs/decisions') ? 0.3 : 1);

/** The search index. Undefined until a reader opens the search. */
let loading: Promise<MiniSearch<SearchEntry>> | undefined;

async function loadIndex(url: string): Promise<MiniSearch<SearchEntry>> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The search index has the status ${response.status}.`);
  const index = new MiniSearch<SearchEntry>({
    idField: 'url',
    fields: ['heading', 'page', 'text'],
    storeFields: ['url', 'page', 'heading', 'text'],
    searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND', boostDocument },
  });
  index.addAll((await response.json()) as SearchEntry[]);
  return index;
}

function Search({ url, onClose }: { url: string; onClose: () => void }) {
  const [index, setIndex] = useState<MiniSearch<SearchEntry>>();
  const [failed, setFailed] = useState(false);
  const [query, setQuery] = useState('');
  useEffect(() => {
    loading ??= loadIndex(url);
    loading.then(setIndex, () => {
      loading = undefined;
      setFailed(true);
    });
  }, [url]);
  const results = index && query.trim() !== '' ? (index.search(query).slice(0, resultsMax) as Result[]) : [];
  return (
    <Dialog title="Search the documentation" close="Close" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (results[0]) location.assign(results[0].url);
        }}
      >
        <TextField
          label="Words"
          type="search"
          value={query}
          autofocus
          onInput={({ currentTarget }) => setQuery(currentTarget.value)}
        />
      </form>
      {failed && <Alert tone="bad">The search could not be loaded. Check the connection and reload the page.</Alert>}
      <p class="soft" role="status">
        {query.trim() === '' || !index ? '' : results.length === 0 ? 'Nothing found.' : `${results.length} results`}
      </p>
      {results.length > 0 && (
        <ul class="results">
          {results.map((result) => (
            <li key={result.url}>
              <a href={result.url} onClick={onClose}>
                <span class="results-page">{result.page}</span>
                <span class="results-title">{result.heading || result.page}</span>
                <span class="results-text">{result.text.slice(0, 140)}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

/** Opens the search. `url`: the address of the search index. */
export function showSearch(url: string): void {
  if (document.querySelector('dialog[open]')) return;
  const place = document.createElement('div');
  document.body.append(place);
  const close = () => {
    render(null, place);
    place.remove();
  };
  render(<Search url={url} onClose={close} />, place);
}
