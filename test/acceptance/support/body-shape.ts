const patterns = {
  instant: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  /** In UTC, without `Z`, as in SPEC. */
  instantWithoutZone: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/,
  date: /^\d{4}-\d\d-\d\d$/,
} as const;

/** `strings`: a list of texts. `pairs`: an object whose values are texts. */
type Kind = 'string' | 'integer' | 'number' | 'boolean' | 'strings' | 'pairs' | 'empty list' | keyof typeof patterns;

/** `kind`: the kind of the value, or the fields inside it. */
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

/** The differences in keys, order and kinds. */
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

/** Fails if the fields differ in name, order or kind. */
export function expectShape(body: unknown, shape: Shape): void {
  expect(findDifferences(body, shape)).toEqual([]);
}
