import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { FailureInjector } from '../failure-injector';
import type { MessageStore } from '../message-store';
import { parseMail } from './parse-mail';

/** The largest mail that the inbox stores. Mails of the service have a few kilobytes, so a larger mail is an error of the sender. */
const mailBytesMax = 5 * 1024 * 1024;
/** When the server stops, it waits at most this time for senders to close their connections. Then it closes the connections. */
const closeWithinMs = 500;

export interface MailSink {
  port: number;
  stop(): Promise<void>;
}

/** Starts an SMTP server that accepts every mail, except for planned failures. */
export async function openMailSink(dependencies: {
  store: MessageStore;
  failureInjector: FailureInjector;
  host: string;
  port: number;
}): Promise<MailSink> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    // A reverse lookup needs DNS, which may be missing.
    disableReverseLookup: true,
    logger: false,
    // As at real providers, the enhanced status code says whose fault a rejection is: 550 becomes 550 5.1.1.
    hideENHANCEDSTATUSCODES: false,
    size: mailBytesMax,
    closeTimeout: closeWithinMs,
    onData(stream, session, answer) {
      const socket = [...server.connections].find((connection) => connection.session.id === session.id)?._socket;
      receive(dependencies, stream, session, socket).then(
        (outcome) => outcome === 'accepted' && answer(),
        (error: Error) => answer(error),
      );
    },
  });
  // A sender that disconnects early is not an error of the inbox.
  server.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(dependencies.port, dependencies.host, resolve);
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

/**
 * Receives one mail. If a failure is planned for e-mail, fails as planned. Returns `unanswered` if the planned failure leaves the sender
 * without a response.
 */
async function receive(
  { store, failureInjector }: { store: MessageStore; failureInjector: FailureInjector },
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  socket: Socket | undefined,
): Promise<'accepted' | 'unanswered'> {
  const failure = failureInjector.take('email');
  if (failure?.kind === 'reset') {
    socket?.resetAndDestroy();
    return 'unanswered';
  }
  const raw = await buffer(stream);
  if (failure?.kind === 'status') throw new SmtpError(failure.status ?? 451);
  if (failure?.kind !== 'timeout' && !stream.sizeExceeded) {
    const recipients = session.envelope.rcptTo.map(({ address }) => address);
    const sender = session.envelope.mailFrom ? session.envelope.mailFrom.address : '';
    for (const message of await parseMail(raw, recipients, sender)) store.add(message);
  }
  if (failure === undefined) return 'accepted';
  if (failure.kind === 'acceptThenDrop') socket?.destroy();
  else if (socket) failureInjector.hold(socket);
  return 'unanswered';
}

/** A planned rejection of a mail, with the reply code of SMTP. */
class SmtpError extends Error {
  override name = 'SmtpError';
  readonly responseCode: number;

  constructor(responseCode: number) {
    super(responseCode >= 500 ? 'The message was rejected' : 'Try again later');
    this.responseCode = responseCode;
  }
}
