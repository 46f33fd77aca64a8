import { Agent, request } from 'node:http';

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

export interface Connections {
  /** Uses the first free connection. Throws if the connection breaks. */
  post(path: string, body: object, headers?: Record<string, string>): Promise<Answer>;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** How many connections were opened. */
  opened(): number;
  close(): void;
}

/**
 * A caller with at most `maxSockets` connections, which stay open. Unlike `ApiClient`, this caller does not compare each answer with the
 * OpenAPI document, because it sends many thousands of requests.
 */
export function openConnections(address: string, token: string, maxSockets: number): Connections {
  const agent = new Agent({ keepAlive: true, maxSockets });
  const sockets = new Set<unknown>();
  const send = (method: string, path: string, payload: string | undefined, headers: Record<string, string> = {}) =>
    new Promise<Answer>((resolve, reject) => {
      const sent = request(`${address}${path}`, {
        method,
        agent,
        headers: {
          authorization: `Bearer ${token}`,
          ...(payload !== undefined && {
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(payload)),
          }),
          ...headers,
        },
      });
      sent.on('socket', (socket) => sockets.add(socket));
      sent.on('error', reject);
      sent.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = /json/.test(response.headers['content-type'] ?? '');
          resolve({
            status: response.statusCode ?? 0,
            body: (isJson && text ? JSON.parse(text) : {}) as Answer['body'],
          });
        });
      });
      sent.end(payload);
    });
  return {
    post: (path, body, headers) => send('POST', path, JSON.stringify(body), headers),
    get: (path, headers) => send('GET', path, undefined, headers),
    opened: () => sockets.size,
    close: () => agent.destroy(),
  };
}

/** Counts by answer, such as `200 Blocked` or `503 service_unavailable`. */
export function countAnswers(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const name = `${status} ${String(status < 300 ? (body['status'] ?? '') : body['code'])}`.trim();
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** Yields codes of six digits that differ from `code`, without an end. */
export function* wrongCodes(code: string): Generator<string> {
  for (let number = 0; ; number = (number + 1) % 1_000_000) {
    const wrongCode = String(number).padStart(6, '0');
    if (wrongCode !== code) yield wrongCode;
  }
}
