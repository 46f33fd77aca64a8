import type { ComponentChildren } from 'preact';

/** What a color says about an item. */
export type Tone = 'neutral' | 'good' | 'info' | 'warn' | 'bad';

/** A short word about an item, such as a status. Its meaning must not depend on its color. */
export const Tag = ({ tone = 'neutral', children }: { tone?: Tone; children: ComponentChildren }) => (
  <span class={tone === 'neutral' ? 'tag' : `tag tag-${tone}`}>{children}</span>
);

/** A message about the page or a form. `bad`: screen readers announce it at once. */
export const Alert = ({
  tone = 'info',
  id,
  children,
}: {
  tone?: 'good' | 'info' | 'warn' | 'bad';
  id?: string;
  children: ComponentChildren;
}) => (
  <div id={id} class={tone === 'info' ? 'alert' : `alert alert-${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
    {children}
  </div>
);

/** A table that scrolls sideways if it is too wide. `label`: the name of the table for screen readers. */
export const Table = ({
  label,
  head,
  rows,
}: {
  label: string;
  head: readonly string[];
  rows: readonly (readonly ComponentChildren[])[];
}) => (
  <div class="table" role="group" aria-label={label} tabIndex={0}>
    <table>
      <thead>
        <tr>
          {head.map((cell) => (
            <th scope="col">{cell}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr>
            {cells.map((cell) => (
              <td>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** A text of the service. The parts between backticks are code. */
export const TextWithCode = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
);

/** Code with an optional title. `html`: highlighted code, already escaped. The block can get the focus, so that keys can scroll it. */
export const CodeBlock = ({ html, title }: { html: string; title?: string }) => (
  <div class="code">
    {title && <p class="code-title">{title}</p>}
    <pre tabIndex={0}>
      <code dangerouslySetInnerHTML={{ __html: html }} />
    </pre>
  </div>
);

/** A heading that links to itself. It has the level 2, 3 or 4. The title of a page has the level 1 and no link. */
export function Heading({ level, id, children }: { level: 2 | 3 | 4; id: string; children: ComponentChildren }) {
  const Element = `h${level}` as const;
  return (
    <Element id={id}>
      <a class="anchor" href={`#${id}`}>
        {children}
      </a>
    </Element>
  );
}
