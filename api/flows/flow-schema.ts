/** The schema for editors, draft 2020-12. */
export function flowJsonSchema(): Record<string, unknown> {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    required: ['name', 'version', 'start', 'steps'],
  };
}
