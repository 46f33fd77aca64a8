import http from 'node:http';

export interface HealthAddress {
  /** The address on which to listen: 127.0.0.1 for programs on the same machine only, and 0.0.0.0 for probes of other machines. */
  host: string;
  /** With port 0 there is no server. */
  port: number;
}

/**
 * Serves the health of the process. GET /health/live: 200 as long as the process runs. GET /health/ready: 200 if `isReady`, and otherwise
 * 503. All other paths: 404. Returns a function that stops the server.
 */
export function serveHealth({ host, port }: HealthAddress, isReady: () => Promise<boolean>): () => void {
  if (port === 0) return () => {};
  const statusOf = async (method = '', url = ''): Promise<[number, string]> => {
    const [path] = url.split('?');
    if (method !== 'GET' && method !== 'HEAD') return [404, 'not found'];
    if (path === '/health/live') return [200, 'live'];
    if (path !== '/health/ready') return [404, 'not found'];
    return (await isReady()) ? [200, 'ready'] : [503, 'not ready'];
  };
  const server = http.createServer((request, response) => {
    void statusOf(request.method, request.url).then(([code, status]) => {
      response.writeHead(code, { 'content-type': 'application/json; charset=utf-8' });
      response.end(JSON.stringify({ status }));
    });
  });
  server.listen(port, host);
  return () => {
    server.close();
    server.closeAllConnections();
  };
}
