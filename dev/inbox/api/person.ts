import { z } from 'zod';
import type { Delivery } from '../delivery';
import type { MessageStore } from '../message-store';
import { type Button, type Message, newSid } from '../message';
import { inboundFields } from '../twilio/inbound-fields';
import type { WebhookSender } from '../webhook-sender';
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
  sender: WebhookSender;
  accountSid: string;
  webhookUrl: string;
}

/** A simulated person: reads messages, replies and presses buttons. */
export class Person {
  readonly dependencies: PersonDependencies;

  constructor(dependencies: PersonDependencies) {
    this.dependencies = dependencies;
  }

  read(id: string): Message {
    const message = this.find(id);
    void this.dependencies.delivery.markAsRead(message);
    return this.find(id);
  }

  /** Sends a reply to the webhook in the background. Returns the form that is sent. */
  reply(id: string, reply: Reply): { id: string; url: string; fields: Record<string, string> } {
    const { store, delivery, sender, accountSid, webhookUrl } = this.dependencies;
    const original = this.find(id);
    const { channel } = original;
    if (channel === 'email') throw new InboxProblem(422, 'Not Replyable', 'A mail has no reply. Open its link.');
    if (original.direction === 'inbound') throw new InboxProblem(422, 'Not Replyable', 'The message is a reply.');
    const button = 'button' in reply ? buttonOf(original, reply.button) : undefined;
    const now = new Date().toISOString();
    const replyMessage: Message = {
      id: newSid('SM'),
      channel,
      direction: 'inbound',
      to: original.from,
      from: original.to,
      text: 'text' in reply ? reply.text : (button?.title ?? ''),
      status: 'received',
      createdAt: now,
      updatedAt: now,
      sentAt: now,
      inReplyTo: id,
    };
    // A reply implies that the message was read, so this is reported first.
    const read = delivery.markAsRead(original);
    store.add(replyMessage);
    const fields = inboundFields(replyMessage, original, button, accountSid);
    void read.then(() => sender.post(webhookUrl, fields));
    return { id: replyMessage.id, url: webhookUrl, fields };
  }

  find(id: string): Message {
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
