import { useEffect, useState } from 'preact/hooks';
import { useLocale } from '../app/dates';
import { useTexts } from '../app/use-texts';
import { Button } from '../kit/button';
import { attempt } from './actions';
import { formatTime } from './format';
import { actOnCall, type CallAction, readAnswersAtOnce, setAnswersAtOnce } from './inbox-api';
import { inboxTexts } from './inbox-texts';
import type { Message } from './message';
import { CodeButtons, MessageText } from './message-parts';

/** What the person can do with a call now. */
function actionsOf({ status, call }: Message): readonly CallAction[] {
  if (status === 'in-progress') return call?.canPressKey ? ['press', 'hangUp'] : ['hangUp'];
  const isRinging = status === 'queued' || status === 'initiated' || status === 'ringing';
  return isRinging ? ['answer', 'decline', 'ignore', 'machine'] : [];
}

/** One call: what it said, and buttons for what the person can do. */
export function Call({ message }: { message: Message }) {
  const texts = useTexts(inboxTexts);
  const locale = useLocale();
  const { id, text, from, createdAt, status, call } = message;
  const actions = actionsOf(message);
  const by = call?.answeredBy === 'machine_start' ? texts.call.byMachine : texts.status[status];
  return (
    <li class="line">
      <article class="bubble" aria-label={texts.call.from(from)}>
        {text !== '' && <MessageText text={text} />}
        <footer class="facts">
          <span>{by}</span>
          <time dateTime={createdAt}>{formatTime(createdAt, locale)}</time>
        </footer>
      </article>
      {actions.length > 0 && (
        <div class="reply-buttons" role="group" aria-label={texts.call.actions}>
          {actions.map((action) => (
            <Button key={action} onClick={() => attempt(actOnCall(id, action))}>
              {texts.call[action]}
            </Button>
          ))}
        </div>
      )}
      <CodeButtons text={text} />
    </li>
  );
}

/** Whether calls are answered at once. This is the same for all phones of the inbox. */
export function CallSettings() {
  const texts = useTexts(inboxTexts);
  const [answersAtOnce, setValue] = useState<boolean>();
  useEffect(() => attempt(readAnswersAtOnce().then(setValue)), []);
  return (
    <label class="composer call-settings">
      <input
        type="checkbox"
        checked={answersAtOnce ?? false}
        disabled={answersAtOnce === undefined}
        onChange={({ currentTarget: { checked } }) => attempt(setAnswersAtOnce(checked).then(setValue))}
      />
      {texts.call.answersAtOnce}
    </label>
  );
}
