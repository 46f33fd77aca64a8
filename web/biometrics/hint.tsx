import type { ComponentChildren } from 'preact';
import { Icon } from './icon';

/** A text about what the person can do better. Screen readers read it at once. */
export const Hint = ({ children }: { children: ComponentChildren }) => (
  <div class="hint" role="alert">
    <Icon name="warning" />
    <p>{children}</p>
  </div>
);
