import { useState } from 'preact/hooks';
import { useTexts } from '../app/use-texts';
import { Button } from '../kit/button';
import { Icon } from '../kit/icon';
import { Tabs } from '../kit/tabs';
import { formatAddress } from './format';
import { markRead } from './inbox-api';
import { inboxTexts } from './inbox-texts';
import { type Channel, isUnread, type Person } from './message';
import { Thread } from './thread';
import { attempt } from './actions';

/** The channels in the order of their tabs. */
const allChannels: readonly Channel[] = ['sms', 'whatsapp', 'voice', 'email'];

/**
 * The messages of a phone or a mailbox. `chosen`: the channel that the user chose for each address. Without a choice, the channel of the
 * newest message is shown.
 */
export function Conversation({
  person: { address, messages, newest },
  chosen,
}: {
  person: Person;
  chosen: Map<string, Channel>;
}) {
  const texts = useTexts(inboxTexts);
  const [channel, setChannel] = useState(chosen.get(address) ?? newest.channel);
  const messagesOf = (name: Channel) => messages.filter((message) => message.channel === name);
  const channels = allChannels.filter((name) => messagesOf(name).length > 0);
  const shown = messagesOf(channel);
  const unread = shown.filter(isUnread);
  const thread = <Thread key={channel} messages={shown} channel={channel} />;
  const choose = (next: Channel) => {
    chosen.set(address, next);
    setChannel(next);
  };
  return (
    <section class={`device device-${channel}`} aria-label={texts.thread.label(texts.channels[channel], address)}>
      <header class="device-head">
        <a class="back" href="#/" aria-label={texts.thread.back}>
          <Icon name="back" />
        </a>
        <h2>{formatAddress(address)}</h2>
        {unread.length > 0 && (
          <Button tone="small" onClick={() => attempt(Promise.all(unread.map(({ id }) => markRead(id))))}>
            <Icon name="eye" />
            {texts.thread.markRead}
          </Button>
        )}
      </header>
      {channels.length === 1 ? (
        thread
      ) : (
        <Tabs
          label={texts.thread.apps}
          items={channels.map((id) => ({
            id,
            label: <TabLabel channel={id} unread={messagesOf(id).filter(isUnread).length} />,
          }))}
          current={channel}
          onChange={(id) => choose(channels.find((one) => one === id) ?? channel)}
        >
          {thread}
        </Tabs>
      )}
    </section>
  );
}

function TabLabel({ channel, unread }: { channel: Channel; unread: number }) {
  const texts = useTexts(inboxTexts);
  return (
    <>
      {texts.channels[channel]}
      {unread > 0 && <span class="count">{unread}</span>}
    </>
  );
}
