import { createContext, runInContext } from 'node:vm';
import type { GetTestStack } from '../support/test-stack';
import { readLocalClients } from '../support/local-clients';
import { newPerson } from '../support/new-person';

interface CollectionItem {
  event?: { script: { exec: string[] } }[];
  request: {
    method: string;
    header: { key: string; value: string }[];
    body?: { raw: string };
    url: { raw: string };
    description: string;
  };
}

interface Collection {
  variable: { key: string; value: string }[];
  item: { item: CollectionItem[] }[];
}

/** Sends requests as Postman does: fills in variables, then runs the script of the request. `changes`: values that replace variables. */
function openCollection({ variable, item: folders }: Collection, changes: Readonly<Record<string, string>>) {
  const variables = new Map(variable.map(({ key, value }) => [key, changes[key] ?? value]));
  const fill = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => variables.get(name) ?? '');
  const send = async (operationId: string, change = (body: string) => body) => {
    const item = folders.flatMap((folder) => folder.item).find(({ request }) => request.description === operationId);
    if (!item) throw new Error(`The collection has no request ${operationId}.`);
    const { method, url, header, body } = item.request;
    const response = await fetch(fill(url.raw), {
      method,
      headers: Object.fromEntries(header.map(({ key, value }) => [key, fill(value)])),
      ...(body ? { body: change(fill(body.raw)) } : {}),
    });
    const json: unknown = await response.json();
    const pm = { response: { json: () => json }, collectionVariables: variables };
    for (const { script } of item.event ?? []) runInContext(script.exec.join('\n'), createContext({ pm }));
    return { status: response.status, body: json };
  };
  return { send };
}

/** The Postman collection that the documentation offers as a download. */
export function describeDownloads(getTestStack: GetTestStack): void {
  describe('the Postman collection', () => {
    it('the Postman collection gets an access token, creates a transaction, sends a code and validates it', async () => {
      const { api, inbox, stack } = getTestStack();
      const [{ clientId, clientSecret }] = readLocalClients(stack);
      const file = await fetch(`${api.address}/docs/downloads/countersign.postman_collection.json`);
      const changes = { baseUrl: api.address, clientId, clientSecret };
      const { send } = openCollection((await file.json()) as Collection, changes);
      const person = newPerson();

      expect(await send('createToken')).toMatchObject({ status: 200 });
      const withPerson = (body: string) => JSON.stringify({ ...JSON.parse(body), ...person.body });
      expect(await send('createTransaction', withPerson)).toMatchObject({ status: 201 });
      expect(await send('sendSmsToken')).toMatchObject({ status: 201, body: { status: 'Waiting' } });
      const code = await inbox.waitForCode(person.phone, 'sms');
      const withCode = (body: string) => body.replace('123456', code);
      expect(await send('validateSmsToken', withCode)).toMatchObject({ status: 200, body: { status: 'Valid' } });
      expect(await send('getTransaction')).toMatchObject({ status: 200, body: { email: person.email } });
    });
  });
}
