import type { ImageStore } from '../../images/object-stores';

/** A test adds operations to `failingOperations`, such as `put`, to make them throw. */
export function createMemoryStore() {
  const objects = new Map<string, Buffer>();
  const failingOperations = new Set<keyof ImageStore>();
  const runOrFail = async <Result>(name: keyof ImageStore, operation: () => Result): Promise<Result> => {
    if (failingOperations.has(name)) throw new Error(`The store is not available: ${name}.`);
    return operation();
  };
  const store: ImageStore = {
    put: (key, bytes) => runOrFail('put', () => void objects.set(key, bytes)),
    get: (key) => runOrFail('get', () => objects.get(key)),
    remove: (key) => runOrFail('remove', () => void objects.delete(key)),
    async *list(folder) {
      yield* await runOrFail('list', () =>
        [...objects.keys()].filter((key) => key.startsWith(`${folder}/`)).toSorted(),
      );
    },
  };
  return { store, objects, failingOperations };
}
