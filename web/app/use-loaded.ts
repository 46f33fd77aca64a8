import { useEffect, useState } from 'preact/hooks';

export interface Loaded<Value> {
  /** The key for which `value` or `error` was loaded. It is the earlier one while another one is loading. */
  key?: string;
  value?: Value;
  error?: unknown;
  /** Loads again. What is shown stays until then. */
  reload: () => void;
}

/**
 * Loads the data of a view, and again when `key` changes. `load` of an earlier key is aborted, so a slow answer never replaces a
 * later one. `load` may also throw, and then its error is returned.
 */
export function useLoaded<Value>(key: string, load: (signal: AbortSignal) => Promise<Value>): Loaded<Value> {
  const [result, setResult] = useState<Omit<Loaded<Value>, 'reload'>>({});
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
    // `load` is another function in each render. Only the key says what to load.
  }, [key, round]);
  return { ...result, reload: () => setRound((current) => current + 1) };
}
