import type { ComponentChildren } from 'preact';
import { Icon } from './icon';

/** Rows of a list that are links, each with several facts. `children` are `LinkRow`. */
export const LinkRows = ({ children }: { children: ComponentChildren }) => <ol class="rows">{children}</ol>;

export const LinkRow = ({ href, children }: { href: string; children: ComponentChildren }) => (
  <li>
    <a class="row" href={href}>
      {children}
      <Icon name="next" />
    </a>
  </li>
);
