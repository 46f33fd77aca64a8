import type { ComponentChildren } from 'preact';
import { Icon } from './icon';

/** A list whose rows are links. `children`: one `LinkRow` for each row. */
export const LinkRows = ({ children }: { children: ComponentChildren }) => <ol class="rows">{children}</ol>;

/** A row of `LinkRows`. A click anywhere on the row opens the link. */
export const LinkRow = ({ href, children }: { href: string; children: ComponentChildren }) => (
  <li>
    <a class="row" href={href}>
      {children}
      <Icon name="next" />
    </a>
  </li>
);
