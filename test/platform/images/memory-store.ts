import type { ImageStore } from '../../../platform/images/image-store';

/** A store in memory that fails on request. */
export function createMemoryStore() {
  const objects = new Map<string, Buffer>();
  const failing = new Set<keyof ImageStore>();
  const removed: string[] = [];
  const step = async <Result>(name: keyof ImageStore, act: () => Result): Promise<Result> => {
    if (failing.has(name)) throw new Error(`The store is not available: ${name}.`);
    return act();
  };
  const store: ImageStore = {
    put: (key, bytes) => step('put', () => void objects.set(key, bytes)),
    get: (key) => step('get', () => objects.get(key)),
    remove: (key) => step('remove', () => void (objects.delete(key), removed.push(key))),
  };
  return { store, objects, failing, removed };
}
