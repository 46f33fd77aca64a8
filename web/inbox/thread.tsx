import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { useLocale } from '../app/dates';
import { useTexts } from '../app/use-texts';
import { Bubble } from './bubble';
import { Call, CallSettings } from './call';
import { Composer } from './composer';
import { formatDay, isToday } from './format';
import { markRead } from './inbox-api';
import { inboxTexts } from './inbox-texts';
import { Mail } from './mail';
import { type Channel, isUnread, type Message } from './message';

/** If the end of the conversation is at most this far away, the conversation scrolls to a new message. */
const nearEndPixels = 120;

/** Marks SMS and mails as read. WhatsApp tells the sender that a message was read. So the user marks WhatsApp messages with a button. */
function markSilentlyRead(messages: readonly Message[]): void {
  if (document.hidden) return;
  for (const message of messages)
    if (message.channel !== 'whatsapp' && isUnread(message)) void markRead(message.id).catch(() => undefined);
}

/** The messages of one person on one channel. `messages`: oldest first. Mails are shown newest first, and have no reply box. */
export function Thread({ messages, channel }: { messages: readonly Message[]; channel: Channel }) {
  const texts = useTexts(inboxTexts);
  const scroller = useRef<HTMLDivElement>(null);
  const isNearEnd = useRef(true);
  const isMail = channel === 'email';

  useLayoutEffect(() => {
    if (scroller.current && isNearEnd.current && !isMail) scroller.current.scrollTop = scroller.current.scrollHeight;
  }, [messages.length]);
  useEffect(() => {
    const mark = () => markSilentlyRead(messages);
    mark();
    document.addEventListener('visibilitychange', mark);
    return () => document.removeEventListener('visibilitychange', mark);
  }, [messages]);

  const ordered = isMail ? messages.toReversed() : messages;
  return (
    <>
      <div
        class="scroller"
        tabIndex={0}
        role="region"
        aria-label={texts.thread.conversation}
        ref={scroller}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          isNearEnd.current = scrollHeight - scrollTop - clientHeight < nearEndPixels;
        }}
      >
        <ol class="lines" aria-label={texts.thread.messages}>
          {ordered.map((message, index) => [
            <Day key={`day of ${message.id}`} message={message} previous={ordered[index - 1]} />,
            <Entry key={message.id} message={message} />,
          ])}
        </ol>
      </div>
      {channel === 'voice' && <CallSettings />}
      {!isMail && channel !== 'voice' && (
        <Composer target={messages.findLast(({ direction }) => direction === 'outbound')} />
      )}
    </>
  );
}

const entries = { sms: Bubble, whatsapp: Bubble, voice: Call, email: Mail };

/** One message or call. */
function Entry({ message }: { message: Message }) {
  const Kind = entries[message.channel];
  return <Kind message={message} />;
}

/** The date, in front of the first message of each day. */
function Day({ message: { createdAt }, previous }: { message: Message; previous: Message | undefined }) {
  const texts = useTexts(inboxTexts);
  const locale = useLocale();
  const dayOf = (iso: string) => new Date(iso).toDateString();
  if (previous && dayOf(previous.createdAt) === dayOf(createdAt)) return null;
  return (
    <li class="day">
      <span>{isToday(createdAt) ? texts.thread.today : formatDay(createdAt, locale)}</span>
    </li>
  );
}
