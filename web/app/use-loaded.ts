import { useEffect, useState } from 'preact/hooks';

export interface Loaded<Value> {
  /** The key for which `value` or `error` was loaded. While a new key is loading, this is still the earlier key. */
  key?: string;
  value?: Value;
  error?: unknown;
  /** Loads the data again. The earlier data stays until the new data arrives. */
  reload: () => void;
}

/**
 * Loads the data of a view, and loads it again when `key` changes. The change aborts the earlier `load`, so a slow answer for the earlier
 * key never replaces the data of the new key. If `load` rejects, returns its error.
 */
export function useLoaded<Value>(key: string, load: (signal: AbortSignal) => Promise<Value>): Loaded<Value> {
  const [result, setResult] = useState<Omit<Loaded<Value>, 'reload'>>({});
  /** Counts the calls of `reload`. */
  const [round, setRound] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const show = (loaded: Omit<Loaded<Value>, 'reload'>) => {
      if (!signal.aborted) setResult({ key, ...loaded });
    };
    load(signal).then(
      (value) => show({ value }),
      (error: unknown) => show({ error }),
    );
    return () => controller.abort();
    // `load` is not a dependency, because it is a new function in each render. Only the key says what to load.
  }, [key, round]);
  return { ...result, reload: () => setRound((current) => current + 1) };
}
