import type { Message } from '../message';

const linkPattern = /https?:\/\/[^\s<>"'`\\]+/g;

/** A message as the inbox API shows it. */
export function toView(message: Message) {
  return {
    id: message.id,
    channel: message.channel,
    to: message.to,
    from: message.from,
    ...(message.subject !== undefined && { subject: message.subject }),
    text: message.text,
    ...(message.html !== undefined && { html: message.html }),
    links: linksOf(message),
    ...(message.buttons && {
      buttons: message.buttons.map(({ title }, index) => ({ option: index + 1, title })),
    }),
    ...(message.copyButton && { copyButton: message.copyButton }),
    ...(message.call && {
      call: {
        answeredBy: message.call.answeredBy,
        canPressKey: message.status === 'in-progress' && message.call.keyUrl !== undefined,
      },
    }),
    createdAt: message.createdAt,
    status: message.status,
  };
}

/** A message in a conversation, with four more fields. `inReplyTo`: the id of the message to which this message is a reply. */
export function toConversationView(message: Message) {
  const { direction, readAt, inReplyTo, errorCode } = message;
  return {
    ...toView(message),
    direction,
    ...(readAt !== undefined && { readAt }),
    ...(inReplyTo !== undefined && { inReplyTo }),
    ...(errorCode !== undefined && { errorCode }),
  };
}

function linksOf(message: Message): string[] {
  const html = (message.html ?? '').replace(/&amp;/g, '&');
  const matches = [...message.text.matchAll(linkPattern), ...html.matchAll(linkPattern)];
  // Punctuation after a link is not part of it.
  return [...new Set(matches.map(([link]) => link.replace(/[.,;:!?)\]}]+$/, '')))];
}
