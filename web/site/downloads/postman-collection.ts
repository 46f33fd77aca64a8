import type { OpenApiDocument } from '../reference/openapi';
import { type PlannedRequest, variablesOf } from './request-plan';

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** A line of JavaScript for Postman. If the response has a value, the line saves the value as a variable. */
const saveLine = ({ variable, pointer }: PlannedRequest['saves'][number]) =>
  `if (body${pointer.map((part) => `?.[${JSON.stringify(part)}]`).join('')} !== undefined) pm.collectionVariables.set(${JSON.stringify(variable)}, body${pointer.map((part) => `[${JSON.stringify(part)}]`).join('')});`;

/** A URL in the form of Postman, which has the host and the parts of the path in separate fields. */
function urlOf(url: string) {
  const [host = '', ...path] = url.split('/');
  return { raw: url, host: [host], path };
}

function itemOf({ operation, url, headers, body, saves }: PlannedRequest) {
  return {
    name: operation.summary,
    ...(saves.length === 0
      ? {}
      : {
          event: [
            {
              listen: 'test',
              script: {
                type: 'text/javascript',
                exec: ['const body = pm.response.json();', ...saves.map(saveLine)],
              },
            },
          ],
        }),
    request: {
      method: operation.method,
      header: headers.map(([key, value]) => ({ key, value })),
      ...(body === undefined ? {} : { body: { mode: 'raw', raw: body } }),
      url: urlOf(url),
      description: operation.id,
    },
    response: [],
  };
}

/** A Postman collection (v2.1) with a folder for each group. Its requests save the ids that other requests need. */
export function createPostmanCollection(document: OpenApiDocument, requests: readonly PlannedRequest[]): string {
  const groups = [...new Set(requests.map(({ operation }) => operation.group))];
  const collection = {
    info: { name: document.info.title, description: document.info.description, schema },
    variable: variablesOf(requests).map(([key, value]) => ({ key, value, type: 'string' })),
    item: groups.map((group) => ({
      name: group,
      item: requests.filter(({ operation }) => operation.group === group).map(itemOf),
    })),
  };
  return `${JSON.stringify(collection, undefined, 2)}\n`;
}
