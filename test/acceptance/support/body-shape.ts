const patterns = {
  instant: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  /** UTC without a zone designator, as in SPEC. */
  instantWithoutZone: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/,
  date: /^\d{4}-\d\d-\d\d$/,
} as const;

type Kind = 'string' | 'integer' | 'number' | 'boolean' | 'strings' | 'pairs' | 'empty list' | keyof typeof patterns;

/** Name, kind or nested fields, and whether the field is optional. */
export type Field = readonly [name: string, kind: Kind | Shape, presence?: 'optional'];
export type Shape = readonly Field[];

function isOfKind(value: unknown, kind: Kind): boolean {
  if (kind === 'integer') return Number.isInteger(value);
  if (kind === 'string' || kind === 'number' || kind === 'boolean') return typeof value === kind;
  if (kind === 'empty list') return Array.isArray(value) && value.length === 0;
  if (kind === 'strings') return Array.isArray(value) && value.every((item) => typeof item === 'string');
  if (kind === 'pairs')
    return (
      typeof value === 'object' && value !== null && Object.values(value).every((item) => typeof item === 'string')
    );
  return typeof value === 'string' && patterns[kind].test(value);
}

/** The differences between a record and its shape: keys, order, kinds. Empty if none. */
export function findDifferences(record: unknown, shape: Shape, path = ''): string[] {
  if (typeof record !== 'object' || record === null || Array.isArray(record))
    return [`${path || 'the record'} is not an object`];
  const keys = Object.keys(record);
  const expectedFields = shape.filter(([name, , presence]) => presence !== 'optional' || keys.includes(name));
  const order = expectedFields.map(([name]) => name);
  if (keys.join() !== order.join()) return [`${path || 'the record'} has ${keys.join()} instead of ${order.join()}`];
  return expectedFields.flatMap(([name, kind]) => {
    const value = (record as Record<string, unknown>)[name];
    const fieldPath = path ? `${path}.${name}` : name;
    if (typeof kind !== 'string') return findDifferences(value, kind, fieldPath);
    return isOfKind(value, kind) ? [] : [`${fieldPath} is ${JSON.stringify(value)}, not ${kind}`];
  });
}

/** Fails unless the record has exactly the keys of the shape, in its order and of its kinds. */
export function expectShape(record: unknown, shape: Shape): void {
  expect(findDifferences(record, shape)).toEqual([]);
}
