import type { ComponentChildren } from 'preact';

/** A term and its value. An entry without a value is not shown. */
export type Description = readonly [term: string, value: ComponentChildren];

/** Terms with their values, such as the data of a person. */
export const DescriptionList = ({ entries }: { entries: readonly Description[] }) => (
  <dl class="descriptions">
    {entries
      .filter(([, value]) => value !== undefined && value !== false && value !== '')
      .map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
