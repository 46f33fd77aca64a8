import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { FaultInjector } from '../fault-injector';
import type { MessageStore } from '../message-store';
import { parseMail } from './parse-mail';

/** Confirmation mails are some kilobytes; more than this is a mistake of the sender. */
const mailBytesMax = 5 * 1024 * 1024;
/** A stop does not wait for senders that keep their connection open. */
const closeWithinMs = 500;

export interface MailSink {
  port: number;
  stop(): Promise<void>;
}

/** An SMTP server that takes every mail for every address, unless a fault is planned. */
export async function openMailSink(parts: {
  store: MessageStore;
  faultInjector: FaultInjector;
  host: string;
  port: number;
}): Promise<MailSink> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    // Resolving the client's name would need a name server, which a laptop on a train has not.
    disableReverseLookup: true,
    logger: false,
    size: mailBytesMax,
    closeTimeout: closeWithinMs,
    onData(stream, session, answer) {
      const socket = [...server.connections].find((connection) => connection.session.id === session.id)?._socket;
      receive(parts, stream, session, socket).then(
        (outcome) => outcome === 'accepted' && answer(),
        (error: Error) => answer(error),
      );
    },
  });
  // A sender that goes away in mid-sentence concerns nobody but the sender.
  server.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(parts.port, parts.host, resolve);
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

async function receive(
  { store, faultInjector }: { store: MessageStore; faultInjector: FaultInjector },
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  socket: Socket | undefined,
): Promise<'accepted' | 'unanswered'> {
  const fault = faultInjector.take('email');
  if (fault?.kind === 'reset') {
    socket?.resetAndDestroy();
    return 'unanswered';
  }
  const raw = await buffer(stream);
  if (fault?.kind === 'status') throw new SmtpRefusal(fault.status ?? 451);
  if (fault?.kind !== 'timeout' && !stream.sizeExceeded) {
    const recipients = session.envelope.rcptTo.map(({ address }) => address);
    const sender = session.envelope.mailFrom ? session.envelope.mailFrom.address : '';
    for (const message of await parseMail(raw, recipients, sender)) store.add(message);
  }
  if (fault === undefined) return 'accepted';
  if (fault.kind === 'acceptThenDrop') socket?.destroy();
  else if (socket) faultInjector.hold(socket);
  return 'unanswered';
}

class SmtpRefusal extends Error {
  override name = 'SmtpRefusal';
  readonly responseCode: number;

  constructor(responseCode: number) {
    super(responseCode >= 500 ? 'The message was refused' : 'Try again later');
    this.responseCode = responseCode;
  }
}
