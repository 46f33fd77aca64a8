import { useTexts } from '../app/use-texts';
import { Icon, type IconName } from '../kit/icon';
import { findCodes, splitLinks } from './format';
import { inboxTexts } from './inbox-texts';
import type { Message } from './message';
import { copyText } from './actions';

/** The text of a message with its links. */
export const MessageText = ({ text }: { text: string }) => (
  <p class="text">
    {splitLinks(text).map((segment) =>
      segment.url ? (
        <a href={segment.url} target="_blank" rel="noopener noreferrer">
          {segment.text}
        </a>
      ) : (
        segment.text
      ),
    )}
  </p>
);

/** The codes of a message, in large digits. A click copies a code. */
export function CodeButtons({ text }: { text: string }) {
  const texts = useTexts(inboxTexts);
  const codes = findCodes(text);
  if (codes.length === 0) return null;
  return (
    <div class="codes">
      {codes.map((code) => (
        <button
          key={code}
          class="code-button"
          type="button"
          aria-label={texts.copy.code(code)}
          onClick={() => copyText(code, texts.copy.codeCopied(code))}
        >
          <span class="digits">{code}</span>
          <Icon name="copy" />
        </button>
      ))}
    </div>
  );
}

const statusIcons: Partial<Record<Message['status'], IconName>> = {
  queued: 'clock',
  sent: 'approve',
  delivered: 'ticks',
  read: 'ticks',
  undelivered: 'warning',
};

/** The delivery status of a message to the person. */
export function DeliveryStatus({ message: { status, direction, errorCode } }: { message: Message }) {
  const texts = useTexts(inboxTexts);
  const icon = statusIcons[status];
  if (!icon || direction === 'inbound') return null;
  const label = `${texts.status[status]}${errorCode ? ` (${errorCode})` : ''}`;
  return (
    <span class={`state state-${status}`} title={label} role="img" aria-label={label}>
      <Icon name={icon} />
    </span>
  );
}
