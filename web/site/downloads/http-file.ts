import { type PlannedRequest, variablesOf } from './request-plan';

/** A pointer in the notation of `.http` files: `.runs[0].id` for ['runs', '0', 'id']. */
const jsonPath = (pointer: readonly string[]) =>
  pointer.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`)).join('');

/**
 * A `.http` file with all requests. The variables below a named request can use values of its response, such as
 * {{createToken.response.body.$.access_token}}.
 */
export function createHttpFile(requests: readonly PlannedRequest[]): string {
  // Variables without a value are left out here, because a request below sets them.
  const variables = variablesOf(requests).filter(([, value]) => value !== '');
  const sections = requests.map(({ operation, url, headers, body, saves }) =>
    [
      `### ${operation.summary}`,
      `# @name ${operation.id}`,
      `${operation.method} ${url}`,
      ...headers.map(([name, value]) => `${name}: ${value}`),
      ...(body === undefined ? [] : ['', body]),
      ...(saves.length === 0 ? [] : ['', '###']),
      ...saves.map(({ variable, pointer }) => `@${variable} = {{${operation.id}.response.body.$${jsonPath(pointer)}}}`),
    ].join('\n'),
  );
  return [
    '# All requests of the Countersign API, for REST Client (VS Code) and httpYac.',
    '# Set the variables, then send createToken. If a request needs an id, first send the request that returns this id.',
    ...variables.map(([name, value]) => `@${name} = ${value}`),
    '',
    sections.join('\n\n'),
    '',
  ].join('\n');
}
