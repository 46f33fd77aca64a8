import type { ComponentChildren } from 'preact';
import { Icon } from './icon';

/** What the person can do better. Screen readers read it at once. */
export const Hint = ({ children }: { children: ComponentChildren }) => (
  <div class="hint" role="alert">
    <Icon name="warning" />
    <p>{children}</p>
  </div>
);
