import type { ComponentChildren } from 'preact';
import { showNotice } from '../app/messages';
import { tellParent } from '../person/parent-window';
import { Button, ButtonLink } from '../kit/button';
import { BackToCaller } from './back-to-caller';
import { LinkClosedError } from './errors';
import { Icon, type IconName } from './icon';
import type { LinkState } from './link-api';
import { settings } from './page-settings';
import { texts } from './page-texts';
import { showScreen } from './screen';
import type { Passage } from './texts/texts';

interface LastScreen extends Passage {
  name: string;
  icon: IconName;
  actions?: ComponentChildren;
}

function showLast({ name, icon, heading, text, actions }: LastScreen): void {
  showScreen({
    name,
    heading,
    content: (
      <>
        <div class={`seal seal-${icon}`}>
          <Icon name={icon} />
        </div>
        <p class="lead">{text}</p>
        {actions && <div class="actions">{actions}</div>}
      </>
    ),
  });
}

/** Shows that the images were submitted, or that there is a decision on them. */
export function showDone({ status }: LinkState): void {
  const passage = status === 'Processing' ? texts.done : texts.decided;
  showLast({ name: 'done', icon: 'tick', ...passage, actions: <BackToCaller status={status} isAutomatic /> });
  tellParent(settings.frame, { type: 'succeeded', status });
}

function showClosed({ reason, details }: LinkClosedError): void {
  const { status, moved } = details;
  const passage = moved ? texts.where.moved : texts.closed[reason];
  // A browser may block cookies in a frame, and allow them for the same page in a tab.
  const actions =
    reason === 'cookies' && window.parent !== window ? (
      <ButtonLink tone="main" href={settings.base} target="_blank">
        {texts.outside}
      </ButtonLink>
    ) : (
      status && <BackToCaller status={status} />
    );
  showLast({ name: 'closed', icon: 'clock', ...passage, actions });
  tellParent(settings.frame, { type: reason === 'cookies' ? 'failed' : 'closed', status: status ?? reason });
}

/** Shows the last screen after an error. */
export function showErrorScreen(error: unknown): void {
  showNotice('');
  if (error instanceof LinkClosedError) return showClosed(error);
  console.warn(error);
  const { button, ...passage } = texts.trouble;
  const retry = (
    <Button tone="main" onClick={() => location.reload()}>
      {button}
    </Button>
  );
  showLast({ name: 'trouble', icon: 'warning', ...passage, actions: retry });
  tellParent(settings.frame, { type: 'failed', status: 'InProgress' });
}
