import type { GatewayRequest } from './gateway';

/** The values of the placeholders of a request. */
export type RequestValues = Readonly<Record<string, string | number>>;

/** A request to a gateway, with all values. */
export interface FilledRequest {
  method: GatewayRequest['method'];
  url: string;
  headers: Record<string, string>;
  body?: string;
}

const placeholder = /\{\{(?:(base64) )?(\w+)(?::(\w+))?\}\}/g;

/** The names of the placeholders in all texts of a request. */
export function placeholdersOf(request: GatewayRequest): string[] {
  const texts = JSON.stringify(request).matchAll(placeholder);
  return [...texts].flatMap(([, , name, second]) => [name, second].filter((one) => one !== undefined));
}

/**
 * Fills the placeholders of a request: `{{name}}` is a value, and `{{base64 user:password}}` are two values with a colon, in base64, for basic
 * authentication. In a URL, values are percent-encoded, except at its beginning, which is the address of the gateway. In JSON, a text that is
 * only a placeholder of a number becomes a number.
 */
export function fillRequest(request: GatewayRequest, values: RequestValues): FilledRequest {
  const fill = (text: string, encode = (value: string) => value) =>
    text.replace(placeholder, (_, base64: string | undefined, name: string, second: string | undefined) => {
      const value = [name, second].flatMap((one) => (one === undefined ? [] : [valueOf(values, one)])).join(':');
      return encode(base64 ? Buffer.from(value).toString('base64') : value);
    });
  const fillJson = (json: unknown): unknown => {
    if (typeof json === 'string') {
      const [, name] = /^\{\{(\w+)\}\}$/.exec(json) ?? [];
      return name === undefined ? fill(json) : values[name];
    }
    if (Array.isArray(json)) return json.map(fillJson);
    if (typeof json !== 'object' || json === null) return json;
    return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, fillJson(value)]));
  };
  const [, origin = '', rest = ''] = /^(\{\{\w+\}\})?(.*)$/.exec(request.url) ?? [];
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, text]) => [name.toLowerCase(), fill(text)]),
  );
  const { method, json, form } = request;
  const url = fill(origin) + fill(rest, encodeURIComponent);
  if (json !== undefined)
    return {
      method,
      url,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(fillJson(json)),
    };
  if (!form) return { method, url, headers };
  const fields = Object.entries(form).map(([name, text]): [string, string] => [name, fill(text)]);
  const contentType = 'application/x-www-form-urlencoded';
  return {
    method,
    url,
    headers: { 'content-type': contentType, ...headers },
    body: new URLSearchParams(fields).toString(),
  };
}

function valueOf(values: RequestValues, name: string): string {
  const value = values[name];
  if (value === undefined) throw new Error(`The placeholder {{${name}}} has no value: this is a bug.`);
  return String(value);
}
