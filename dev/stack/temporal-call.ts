import { connect } from 'node:http2';

/** Loopback; a server that does not answer in this time is asked again. */
const answerWithinMs = 1_000;

/** Answers the raw gRPC answer of the workflow service; undefined when the call fails. */
function callTemporal(address: string, method: string, message: Buffer): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const session = connect(`http://${address}`);
    const finish = (answer: Buffer | undefined) => {
      clearTimeout(timer);
      session.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => finish(undefined), answerWithinMs);
    session.on('error', () => finish(undefined));
    const call = session.request({
      ':method': 'POST',
      ':path': `/temporal.api.workflowservice.v1.WorkflowService/${method}`,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    let status: unknown;
    const chunks: Buffer[] = [];
    call.on('response', (headers) => {
      status = headers['grpc-status'];
    });
    call.on('trailers', (trailers) => {
      status = trailers['grpc-status'] ?? status;
    });
    call.on('error', () => finish(undefined));
    call.on('data', (chunk: Buffer) => chunks.push(chunk));
    call.on('end', () => finish(Number(status) === 0 ? Buffer.concat(chunks) : undefined));
    // A gRPC frame: not compressed, length, message.
    const head = Buffer.alloc(5);
    head.writeUInt32BE(message.length, 1);
    call.end(Buffer.concat([head, message]));
  });
}

/** A protobuf field of text or of a nested message. Lengths here are below 128: names of namespaces and task queues. */
function field(number: number, content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
}

/** True when the Temporal frontend at this address serves the namespace. One bare call: no client is loaded for it. */
export async function temporalAnswers(address: string, namespace: string): Promise<boolean> {
  return (await callTemporal(address, 'DescribeNamespace', field(1, namespace))) !== undefined;
}

/** True when Temporal sees the worker with this process id ask for work. */
export async function workerPolls(
  address: string,
  namespace: string,
  taskQueue: string,
  pid: number,
): Promise<boolean> {
  const request = Buffer.concat([field(1, namespace), field(2, field(1, taskQueue))]);
  const answer = await callTemporal(address, 'DescribeTaskQueue', request);
  // The SDK names a worker `<process id>@<host>`.
  return answer !== undefined && new RegExp(`(^|\\D)${pid}@`).test(answer.toString('latin1'));
}
