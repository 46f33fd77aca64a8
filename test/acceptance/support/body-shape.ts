const patterns = {
  instant: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  /** A time in UTC without `Z` at its end, as in SPEC. */
  instantWithoutZone: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/,
  date: /^\d{4}-\d\d-\d\d$/,
} as const;

/** `strings`: a list of texts. `pairs`: an object whose values are texts. */
type Kind = 'string' | 'integer' | 'number' | 'boolean' | 'strings' | 'pairs' | 'empty list' | keyof typeof patterns;

/** A field of a body: its name, its kind or the fields inside it, and whether it may be missing. */
export type Field = readonly [name: string, kind: Kind | Shape, presence?: 'optional'];
/** The fields of a body, in their order. */
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

/** The differences between a body and its shape in keys, order and kinds. The list is empty if there is no difference. */
export function findDifferences(body: unknown, shape: Shape, path = ''): string[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return [`${path || 'the body'} is not an object`];
  const keys = Object.keys(body);
  const expectedFields = shape.filter(([name, , presence]) => presence !== 'optional' || keys.includes(name));
  const order = expectedFields.map(([name]) => name);
  if (keys.join() !== order.join()) return [`${path || 'the body'} has ${keys.join()} instead of ${order.join()}`];
  return expectedFields.flatMap(([name, kind]) => {
    const value = (body as Record<string, unknown>)[name];
    const fieldPath = path ? `${path}.${name}` : name;
    if (typeof kind !== 'string') return findDifferences(value, kind, fieldPath);
    return isOfKind(value, kind) ? [] : [`${fieldPath} is ${JSON.stringify(value)}, not ${kind}`];
  });
}

/** Fails if the fields of the body differ from the shape in name, order or kind. */
export function expectShape(body: unknown, shape: Shape): void {
  expect(findDifferences(body, shape)).toEqual([]);
}
