import { once } from 'node:events';
import http2 from 'node:http2';
import net, { type AddressInfo, type Server } from 'node:net';
import tls, { type TlsOptions } from 'node:tls';
import { pipeline } from 'node:stream';

export interface Gateway {
  address: string;
  stop(): void;
}

async function listen(server: Server, sockets: Set<net.Socket>, stop: () => void = () => undefined): Promise<Gateway> {
  server.on('connection', (socket: net.Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      stop();
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const portOf = (address: string) => Number(address.split(':')[1]);

/** Ends TLS in front of a Temporal server. */
export function startTlsGateway(temporal: string, options: TlsOptions): Promise<Gateway> {
  const server = tls.createServer({ ...options, ALPNProtocols: ['h2'] }, (socket) => {
    const target = net.connect(portOf(temporal), '127.0.0.1');
    pipeline(socket, target, socket, () => undefined);
  });
  return listen(server, new Set());
}

const operatorService = '/temporal.api.operatorservice';
const unauthenticated = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '16' };
const denied = { ...unauthenticated, 'grpc-status': '7', 'grpc-message': 'Request unauthorized.' };

/** Like Temporal Cloud: requires an API key, and has no operator service. */
export function startKeyGateway(temporal: string, options: TlsOptions, apiKey: string): Promise<Gateway> {
  const client = http2.connect(`http://${temporal}`);
  const server = http2.createSecureServer(options).on('stream', (stream, headers) => {
    const refusal =
      headers.authorization !== `Bearer ${apiKey}`
        ? unauthenticated
        : headers[':path']?.startsWith(operatorService)
          ? denied
          : undefined;
    if (refusal) {
      stream.respond(refusal, { endStream: true });
      return;
    }
    const call = client.request({ ...headers, ':scheme': 'http', ':authority': temporal });
    let trailers: http2.IncomingHttpHeaders = {};
    call.on('response', (responseHeaders, flags) => {
      const endStream = (flags & http2.constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      stream.respond(responseHeaders, { endStream, waitForTrailers: !endStream });
    });
    call.on('trailers', (received) => (trailers = received));
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    pipeline(stream, call, stream, () => undefined);
  });
  return listen(server, new Set(), () => client.destroy());
}
