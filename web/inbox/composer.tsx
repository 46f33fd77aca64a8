import { useState } from 'preact/hooks';
import { showToast } from '../app/messages';
import { useTexts } from '../app/use-texts';
import { Icon } from '../kit/icon';
import { reply } from './inbox-api';
import { inboxTexts } from './inbox-texts';
import type { Message } from './message';

/** The maximum length of a reply in characters. Providers refuse longer texts. */
const textLengthMax = 1_600;

/** The reply box. `target`: the message to reply to, which is the newest message that the person has received. */
export function Composer({ target }: { target: Message | undefined }) {
  const texts = useTexts(inboxTexts);
  const [text, setText] = useState('');
  const send = async (event: Event) => {
    event.preventDefault();
    if (text.trim() === '' || !target) return;
    setText('');
    await reply(target.id, { text: text.trim() }).catch(({ message }: Error) => {
      setText(text);
      showToast(message);
    });
  };
  return (
    <form class="composer" onSubmit={(event) => void send(event)}>
      <input
        class="field-control"
        value={text}
        placeholder={texts.thread.reply}
        aria-label={texts.thread.reply}
        autocomplete="off"
        maxLength={textLengthMax}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <button class="send" type="submit" aria-label={texts.thread.send} disabled={!target}>
        <Icon name="send" />
      </button>
    </form>
  );
}
