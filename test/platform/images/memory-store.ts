import type { ImageStore } from '../../../platform/images/image-store';

/** Creates a store in memory. The operations in `failing` throw. `removed` has the keys of removed objects. */
export function createMemoryStore() {
  const objects = new Map<string, Buffer>();
  const failingOperations = new Set<keyof ImageStore>();
  const removed: string[] = [];
  const runOrFail = async <Result>(name: keyof ImageStore, operation: () => Result): Promise<Result> => {
    if (failingOperations.has(name)) throw new Error(`The store is not available: ${name}.`);
    return operation();
  };
  const store: ImageStore = {
    put: (key, bytes) => runOrFail('put', () => void objects.set(key, bytes)),
    get: (key) => runOrFail('get', () => objects.get(key)),
    remove: (key) => runOrFail('remove', () => void (objects.delete(key), removed.push(key))),
  };
  return { store, objects, failing: failingOperations, removed };
}
