import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { announce, takeMessage } from './messages';
import { createStore } from './store';

/** The title of the current view, for the browser tab. */
export const tabTitle = createStore('');
/** The number of items that wait for the user, such as reviews or unread messages. The browser tab shows it before the title. */
export const waitingInTab = createStore('');

export interface ViewProps {
  heading: ComponentChildren;
  /** The title of the browser tab. */
  tab: string;
  /** Whether the view is in the middle of the page, because it has little content. */
  isCentered?: boolean;
  children: ComponentChildren;
}

/**
 * One view of a page. When the view appears, its heading gets the focus for screen readers, and it shows the text of `announceInNextView`.
 * Give each view its own `key`, so that another view of the same kind counts as new.
 */
export function View({ heading, tab, isCentered = false, children }: ViewProps) {
  const [message] = useState(takeMessage);
  const element = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    announce(message);
    window.scrollTo({ top: 0, behavior: 'instant' });
    element.current?.focus({ preventScroll: true });
  }, [message]);
  // Runs before the paint, so that the tab never shows the title of an earlier view.
  useLayoutEffect(() => tabTitle.set(tab), [tab]);
  return (
    <div class={isCentered ? 'view view-centered' : 'view'}>
      {message && <p class="alert alert-good">{message}</p>}
      <h1 tabIndex={-1} ref={element}>
        {heading}
      </h1>
      {children}
    </div>
  );
}
