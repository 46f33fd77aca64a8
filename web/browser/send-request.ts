import type { TryItOperation } from './try-it-operation';

export interface TryItValues {
  /** The values by the name of their parameter. Empty values are not sent. */
  parameters: Readonly<Record<string, string>>;
  body: string;
  token: string;
}

export interface TryItResponse {
  status: number;
  statusText: string;
  durationMs: number;
  headers: [name: string, value: string][];
  text: string;
}

/** How long the form waits for the end of a response. An endless response, such as a stream of events, counts as no response. */
const timeoutMs = 30_000;

/** Indents a text that is JSON. Other texts stay as they are. */
const formatted = (text: string) => {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
};

/** The URL path of a request, with its query. */
export function urlOf({ path, parameters }: TryItOperation, values: TryItValues['parameters']): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const query = new URLSearchParams(
    parameters
      .filter(({ name, in: place }) => place === 'query' && values[name])
      .map(({ name }) => [name, values[name] ?? '']),
  ).toString();
  return query === '' ? filled : `${filled}?${query}`;
}

/** Sends a request to the service of this page. Rejects if there is no response. */
export async function sendRequest(operation: TryItOperation, values: TryItValues): Promise<TryItResponse> {
  const { method, body, needsToken, parameters } = operation;
  const headers = new Headers(
    parameters
      .filter(({ name, in: place }) => place === 'header' && values.parameters[name])
      .map(({ name }): [string, string] => [name, values.parameters[name] ?? '']),
  );
  if (needsToken) headers.set('Authorization', `Bearer ${values.token}`);
  if (body && values.body !== '') headers.set('Content-Type', body.type);
  const startedAt = performance.now();
  const response = await fetch(urlOf(operation, values.parameters), {
    method,
    headers,
    // The request has only the credentials of the form, and a rejection does not open the password box of the browser.
    credentials: 'omit',
    ...(body && values.body !== '' ? { body: values.body } : {}),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = formatted(await response.text());
  return {
    status: response.status,
    statusText: response.statusText,
    durationMs: Math.round(performance.now() - startedAt),
    headers: [...response.headers],
    text,
  };
}
