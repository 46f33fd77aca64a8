import { useEffect, useRef, useState } from 'preact/hooks';
import { type Connection, openMailbox } from './mailbox';
import type { Message } from './message';

/**
 * The state of the connection, and all messages, oldest first. The messages are undefined until they are loaded. Calls `onArrival` for each
 * new message.
 */
export function useMailbox(onArrival: (message: Message) => void) {
  const [connection, onConnection] = useState<Connection>('connecting');
  const [messages, onChange] = useState<readonly Message[]>();
  const latest = useRef(onArrival);
  latest.current = onArrival;
  useEffect(() => openMailbox({ onChange, onConnection, onArrival: (message) => latest.current(message) }), []);
  return { connection, messages };
}
