import { useLocale } from '../app/dates';
import { useTexts } from '../app/use-texts';
import { Button } from '../kit/button';
import { Tag } from '../kit/content';
import { Icon } from '../kit/icon';
import { formatTime } from './format';
import { reply } from './inbox-api';
import { inboxTexts } from './inbox-texts';
import { isUnread, type Message } from './message';
import { CodeButtons, DeliveryStatus, MessageText } from './message-parts';
import { attempt, copyText } from './actions';

/** One SMS or WhatsApp message. Messages from the person are on the right. */
export function Bubble({ message }: { message: Message }) {
  const texts = useTexts(inboxTexts);
  const locale = useLocale();
  const isOwn = message.direction === 'inbound';
  return (
    <li class={isOwn ? 'line line-own' : 'line'}>
      <article class="bubble" aria-label={isOwn ? texts.list.you : texts.thread.from(message.from)}>
        <MessageText text={message.text} />
        <footer class="facts">
          {isUnread(message) && <Tag tone="good">{texts.thread.isNew}</Tag>}
          <time dateTime={message.createdAt}>{formatTime(message.createdAt, locale)}</time>
          <DeliveryStatus message={message} />
        </footer>
      </article>
      {message.buttons && <ReplyButtons message={message} buttons={message.buttons} />}
      {message.copyButton ? <CopyCode {...message.copyButton} /> : !isOwn && <CodeButtons text={message.text} />}
    </li>
  );
}

/** The button of WhatsApp under a code. */
function CopyCode({ title, code }: NonNullable<Message['copyButton']>) {
  const texts = useTexts(inboxTexts);
  return (
    <div class="reply-buttons">
      <Button onClick={() => copyText(code, texts.copy.codeCopied(code))}>
        <Icon name="copy" />
        {title}
      </Button>
    </div>
  );
}

function ReplyButtons({ message, buttons }: { message: Message; buttons: NonNullable<Message['buttons']> }) {
  const texts = useTexts(inboxTexts);
  return (
    <div class="reply-buttons" role="group" aria-label={texts.thread.quickReplies}>
      {buttons.map(({ option, title }) => (
        <Button key={option} onClick={() => attempt(reply(message.id, { button: option }))}>
          <Icon name="reply" />
          {title}
        </Button>
      ))}
    </div>
  );
}
