import { readMessages } from './inbox-api';
import type { Message } from './message';

/** If the page cannot read the messages, it tries again after this pause. The browser itself restores a lost stream of events. */
const retryMs = 1_000;
/**
 * A visible page shows a change in its next animation frame. A hidden page has no animation frames, so it waits this long. Then it updates
 * the number of unread messages in the tab.
 */
const hiddenUpdateMs = 100;

/** The connection to the inbox. `live`: the page has all messages, and new messages arrive at once. */
export type Connection = 'connecting' | 'live' | 'lost';

export interface MailboxListener {
  /** `messages`: all messages, oldest first. Called at most once for each animation frame. */
  onChange: (messages: readonly Message[]) => void;
  onConnection: (connection: Connection) => void;
  /** A message has arrived while the page is open. */
  onArrival: (message: Message) => void;
}

/** Keeps the messages in sync with the inbox, until the returned function is called. After each reconnection, reads all messages again. */
export function openMailbox({ onChange, onConnection, onArrival }: MailboxListener): () => void {
  const messages = new Map<string, Message>();
  const events = new EventSource('/api/events');
  let isScheduled = false;
  let isLoaded = false;
  let isStopped = false;
  /** What arrived while the list was loading. It is newer than the list. */
  let sinceLoad = { arrived: new Map<string, Message>(), changed: new Map<string, Message>() };

  const notify = () => {
    isScheduled = false;
    if (isLoaded && !isStopped) onChange([...messages.values()]);
  };
  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    if (document.hidden) setTimeout(notify, hiddenUpdateMs);
    else requestAnimationFrame(notify);
  };
  const add = ({ data }: MessageEvent<string>): void => {
    const message = JSON.parse(data) as Message;
    messages.set(message.id, message);
    sinceLoad.arrived.set(message.id, message);
    schedule();
    onArrival(message);
  };
  /** Ignores a change of a message that is not in the list, because the message is older than the list. */
  const change = ({ data }: MessageEvent<string>): void => {
    const message = JSON.parse(data) as Message;
    sinceLoad.changed.set(message.id, message);
    if (!messages.has(message.id)) return;
    messages.set(message.id, message);
    schedule();
  };
  const load = async () => {
    const news: typeof sinceLoad = { arrived: new Map(), changed: new Map() };
    sinceLoad = news;
    const list = await readMessages();
    // If another load has started meanwhile, this list is too old.
    if (isStopped || sinceLoad !== news) return;
    messages.clear();
    for (const message of [...list.toReversed(), ...news.arrived.values()])
      messages.set(message.id, news.changed.get(message.id) ?? message);
    isLoaded = true;
    onConnection('live');
    schedule();
  };
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  const loadWithRetries = () =>
    void load().catch(() => {
      if (isStopped) return;
      onConnection('lost');
      clearTimeout(retryTimer);
      retryTimer = setTimeout(loadWithRetries, retryMs);
    });
  events.addEventListener('open', loadWithRetries);
  events.addEventListener('error', () => onConnection('lost'));
  events.addEventListener('changed', change);
  events.addEventListener('message', add);
  events.addEventListener('cleared', () => {
    messages.clear();
    loadWithRetries();
  });
  return () => {
    isStopped = true;
    clearTimeout(retryTimer);
    events.close();
  };
}
