import { z } from 'zod';
import type { Delivery } from '../delivery';
import type { MessageStore } from '../message-store';
import { type Button, type Message, newSid } from '../message';
import { inboundFields } from '../twilio/inbound-fields';
import type { WebhookSender } from '../webhook-sender';
import { InboxProblem } from './inbox-problem';

/** What a person answers with: words, or a button of the message by its number. */
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

/** The hand that holds the phone: reads, replies and presses buttons. */
export class Person {
  readonly #parts: PersonDependencies;

  constructor(dependencies: PersonDependencies) {
    this.#parts = dependencies;
  }

  read(id: string): Message {
    const message = this.find(id);
    void this.#parts.delivery.read(message);
    return this.find(id);
  }

  /** Sends a reply to the webhook in the background and returns the form that goes there. */
  reply(id: string, reply: Reply): { id: string; url: string; fields: Record<string, string> } {
    const { store, delivery, sender, accountSid, webhookUrl } = this.#parts;
    const original = this.find(id);
    const { channel } = original;
    if (channel === 'email')
      throw new InboxProblem(422, 'Not Replyable', 'A mail cannot be replied to; open its link.');
    if (original.direction === 'inbound') throw new InboxProblem(422, 'Not Replyable', 'This is a reply itself.');
    const button = 'button' in reply ? buttonOf(original, reply.button) : undefined;
    const now = new Date().toISOString();
    const answer: Message = {
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
    // Nobody answers what they have not seen, so the sender is told of the reading first.
    const read = delivery.read(original);
    store.add(answer);
    const fields = inboundFields(answer, original, button, accountSid);
    void read.then(() => sender.post(webhookUrl, fields));
    return { id: answer.id, url: webhookUrl, fields };
  }

  find(id: string): Message {
    const message = this.#parts.store.find(id);
    if (!message) throw new InboxProblem(404, 'Not Found', 'There is no message of this id.');
    return message;
  }
}

function buttonOf(message: Message, option: number): Button {
  const button = message.buttons?.[option - 1];
  if (!button) throw new InboxProblem(422, 'No Such Button', `The message has no button ${option}.`);
  return button;
}
