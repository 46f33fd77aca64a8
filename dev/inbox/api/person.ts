import { z } from 'zod';
import type { Delivery } from '../delivery';
import type { MessageStore } from '../message-store';
import { type Button, type Message, newSid } from '../message';
import { inboundFields } from '../twilio/inbound-fields';
import type { CallbackSender } from '../callback-sender';
import { InboxProblem } from './inbox-problem';

/** A reply of a person: a text, or the number of a button. */
export const replySchema = z.union([
  z.strictObject({ text: z.string().min(1).max(1_600) }),
  z.strictObject({ button: z.number().int().min(1) }),
]);
export type Reply = z.infer<typeof replySchema>;

export interface PersonDependencies {
  store: MessageStore;
  delivery: Delivery;
  sender: CallbackSender;
  accountSid: string;
  /** The URL of Countersign that gets replies. */
  webhookUrl: string;
}

/** A simulated person who reads messages, replies and presses buttons. Methods throw InboxProblem for an unknown message. */
export class Person {
  readonly dependencies: PersonDependencies;

  constructor(dependencies: PersonDependencies) {
    this.dependencies = dependencies;
  }

  markAsRead(id: string): Message {
    const message = this.findMessage(id);
    void this.dependencies.delivery.markAsRead(message);
    return this.findMessage(id);
  }

  /** Sends a reply to Countersign in the background. Returns the id of the reply, and the URL and form fields of the request. */
  reply(id: string, reply: Reply): { id: string; url: string; fields: Record<string, string> } {
    const { store, delivery, sender, accountSid, webhookUrl } = this.dependencies;
    const originalMessage = this.findMessage(id);
    const { channel } = originalMessage;
    if (channel === 'email') throw new InboxProblem(422, 'Not Replyable', 'A mail has no reply. Open its link.');
    if (channel === 'voice')
      throw new InboxProblem(422, 'Not Replyable', 'A call has no reply. Press a key, or hang up.');
    if (originalMessage.direction === 'inbound')
      throw new InboxProblem(
        422,
        'Not Replyable',
        'This message came from the person. Only messages of the service can be answered.',
      );
    const button = 'button' in reply ? buttonOf(originalMessage, reply.button) : undefined;
    const now = new Date().toISOString();
    const replyMessage: Message = {
      id: newSid('SM'),
      channel,
      direction: 'inbound',
      to: originalMessage.from,
      from: originalMessage.to,
      text: 'text' in reply ? reply.text : (button?.title ?? ''),
      status: 'received',
      createdAt: now,
      updatedAt: now,
      sentAt: now,
      inReplyTo: id,
    };
    // A person who replies has read the message. So the status `read` of the message is reported before the reply.
    const readCallbacks = delivery.markAsRead(originalMessage);
    store.add(replyMessage);
    const fields = inboundFields(replyMessage, originalMessage, button, accountSid);
    void readCallbacks.then(() => sender.post(webhookUrl, fields));
    return { id: replyMessage.id, url: webhookUrl, fields };
  }

  findMessage(id: string): Message {
    const message = this.dependencies.store.find(id);
    if (!message) throw new InboxProblem(404, 'Not Found', 'There is no message with this id.');
    return message;
  }
}

function buttonOf(message: Message, option: number): Button {
  const button = message.buttons?.[option - 1];
  if (!button) throw new InboxProblem(422, 'No Such Button', `The message has no button ${option}.`);
  return button;
}
