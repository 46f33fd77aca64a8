import { useState } from 'preact/hooks';
import { useLocale } from '../app/dates';
import { useTexts } from '../app/use-texts';
import { ButtonLink } from '../kit/button';
import { Icon } from '../kit/icon';
import { Tabs } from '../kit/tabs';
import { formatTime } from './format';
import { inboxTexts } from './inbox-texts';
import type { Message } from './message';
import { CodeButtons, DeliveryStatus, MessageText } from './message-parts';

/** One mail: its subject, codes and links, and its HTML in a frame without scripts. */
export function Mail({ message }: { message: Message }) {
  const texts = useTexts(inboxTexts);
  const locale = useLocale();
  const [form, setForm] = useState('html');
  const label = texts.mail.label(message.subject ?? '');
  return (
    <li class="line mail">
      <article aria-label={label}>
        <header>
          <h3>{message.subject || texts.mail.noSubject}</h3>
          <p class="facts">
            <span>{message.from}</span>
            <time dateTime={message.createdAt}>{formatTime(message.createdAt, locale)}</time>
            <DeliveryStatus message={message} />
          </p>
        </header>
        <CodeButtons text={message.text} />
        <Links links={message.links} />
        {message.html === undefined ? (
          <MessageText text={message.text} />
        ) : (
          <Tabs
            label={texts.mail.showAs}
            items={[
              { id: 'html', label: 'HTML' },
              { id: 'text', label: texts.mail.plainText },
            ]}
            current={form}
            onChange={setForm}
          >
            {form === 'text' ? (
              <MessageText text={message.text} />
            ) : (
              <iframe
                src={`/api/messages/${message.id}/html`}
                sandbox="allow-popups allow-popups-to-escape-sandbox"
                title={label}
                loading="lazy"
                referrerpolicy="no-referrer"
              />
            )}
          </Tabs>
        )}
      </article>
    </li>
  );
}

function Links({ links }: { links: readonly string[] }) {
  if (links.length === 0) return null;
  return (
    <div class="links">
      {links.map((link) => (
        <ButtonLink key={link} tone="small" href={link} target="_blank" rel="noopener noreferrer" title={link}>
          <Icon name="link" />
          <span>{link.replace(/^https?:\/\//, '')}</span>
        </ButtonLink>
      ))}
    </div>
  );
}
