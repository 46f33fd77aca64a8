import type { ComponentChildren } from 'preact';

/** A part of a view with its heading. */
export const Card = ({ heading, children }: { heading: ComponentChildren; children: ComponentChildren }) => (
  <section class="card">
    <h2>{heading}</h2>
    {children}
  </section>
);
