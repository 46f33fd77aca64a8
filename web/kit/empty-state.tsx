import type { ComponentChildren } from 'preact';

/** In place of a list or table that has no items: what is missing, and what to do. */
export const EmptyState = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children}
  </div>
);
