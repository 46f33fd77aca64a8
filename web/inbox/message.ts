export type Channel = 'sms' | 'whatsapp' | 'voice' | 'email';

/** A message or a call of a conversation, as `GET /api/messages?direction=all` and `GET /api/events` send it. */
export interface Message {
  id: string;
  channel: Channel;
  /** `outbound`: a message to the person. `inbound`: a message from the person. */
  direction: 'outbound' | 'inbound';
  to: string;
  from: string;
  subject?: string;
  text: string;
  html?: string;
  links: readonly string[];
  /** The buttons for a reply. `option`: the number of the button. */
  buttons?: readonly { option: number; title: string }[];
  /** The button that copies the code of a WhatsApp message. */
  copyButton?: { title: string; code: string };
  /** Only a call has this. The text of a call is what it said. */
  call?: { answeredBy?: 'human' | 'machine_start'; canPressKey: boolean };
  createdAt: string;
  status:
    | 'queued'
    | 'sent'
    | 'delivered'
    | 'read'
    | 'undelivered'
    | 'received'
    | 'initiated'
    | 'ringing'
    | 'in-progress'
    | 'completed'
    | 'busy'
    | 'no-answer';
  /** When the person read the message. */
  readAt?: string;
  errorCode?: number;
}

/** A phone or a mailbox with its messages, oldest first. */
export interface Person {
  address: string;
  kind: 'phone' | 'mail';
  messages: readonly Message[];
  newest: Message;
  /** The number of unread messages. */
  unread: number;
}

/** The phone or mailbox of the person who gets or sends a message. */
export const personAddressOf = ({ direction, to, from }: Message): string =>
  (direction === 'outbound' ? to : from).toLowerCase();

/** Whether the person has not read a message yet. */
export const isUnread = ({ direction, readAt }: Message): boolean => direction === 'outbound' && readAt === undefined;

/** All phones and mailboxes. The phone or mailbox with the newest message comes first. `messages`: oldest first. */
export function listPeople(messages: Iterable<Message>): Person[] {
  const byAddress = new Map<string, [Message, ...Message[]]>();
  for (const message of messages) {
    const address = personAddressOf(message);
    const earlier = byAddress.get(address);
    // The address is deleted and set again, so that the map is in the order of the newest messages.
    byAddress.delete(address);
    byAddress.set(address, earlier ? [...earlier, message] : [message]);
  }
  return [...byAddress].toReversed().map(([address, own]) => ({
    address,
    kind: own[0].channel === 'email' ? 'mail' : 'phone',
    messages: own,
    newest: own.at(-1) ?? own[0],
    unread: own.filter(isUnread).length,
  }));
}
