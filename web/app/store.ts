import { useEffect, useState } from 'preact/hooks';

/** A value that components and other code share. */
export interface Store<Value> {
  get: () => Value;
  set: (value: Value) => void;
  /** Calls the listener after each change, until the returned function is called. */
  subscribe: (listener: () => void) => () => void;
}

export function createStore<Value>(initial: Value): Store<Value> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set: (value) => {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** The value of a store. The component renders again after each change. */
export function useStore<Value>({ get, subscribe }: Store<Value>): Value {
  const value = get();
  const [, render] = useState<unknown>();
  useEffect(() => {
    const update = () => render({});
    // The value may have changed between the first render and this effect.
    if (!Object.is(get(), value)) update();
    return subscribe(update);
  }, [subscribe]);
  return value;
}
