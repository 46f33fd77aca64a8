import { connect } from 'node:net';
import type { ConnectionPlugin } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { findFreePort } from '../../stack/free-port';
import { type RunningProgram, startProgram } from '../../stack/start-program';

/** The SDK can connect to a running time-skipping server, but the types of 1.22.0 lack this option. */
interface ServerConnector {
  create(options: {
    server: { type: 'existing' };
    address: string;
    supportsTimeSkipping: true;
    plugins: ConnectionPlugin[];
  }): Promise<TestWorkflowEnvironment>;
}

/** The test server closes a connection that pings it more than once in five minutes. The SDK would send a ping every 30 seconds. */
const withoutPings: ConnectionPlugin = {
  name: 'without-pings',
  configureConnection: (options) => ({
    ...options,
    channelArgs: { ...options.channelArgs, 'grpc.keepalive_time_ms': -1 },
  }),
};

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/**
 * Starts a Temporal test server that skips waiting times. `path`: its program. The SDK could start the server too, but the SDK gives up
 * after five seconds, which a busy machine exceeds, and then leaves the server running.
 */
export async function startTestServer(path: string): Promise<RunningProgram> {
  const port = await findFreePort();
  return startProgram(path, [String(port)], `127.0.0.1:${port}`, () => isListening(port));
}

/** The teardown of the result leaves the server running. */
export function connectToTestServer(address: string): Promise<TestWorkflowEnvironment> {
  return (TestWorkflowEnvironment as unknown as ServerConnector).create({
    server: { type: 'existing' },
    address,
    supportsTimeSkipping: true,
    plugins: [withoutPings],
  });
}
