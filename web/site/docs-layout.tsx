import type { ComponentChildren } from 'preact';
import type { PageHeading } from './markdown/render-markdown';

export interface NavigationGroup {
  title: string;
  links: readonly { href: string; label: string }[];
}

interface DocsLayoutProps {
  /** The navigation marks the link with this URL path as current. */
  path: string;
  title: string;
  lead?: ComponentChildren;
  navigation: readonly NavigationGroup[];
  /** The headings of the page. With fewer than two, the page has no table of contents. */
  headings?: readonly PageHeading[];
  children: ComponentChildren;
}

/** On small screens, the navigation is a popover, which needs no script. */
function Navigation({ navigation, path }: Pick<DocsLayoutProps, 'navigation' | 'path'>) {
  return (
    <nav class="side" id="side" aria-label="Documentation" popover="auto">
      {navigation.map(({ title, links }) => (
        <div class="side-group">
          <p class="side-title">{title}</p>
          <ul>
            {links.map(({ href, label }) => (
              <li>
                <a href={href} aria-current={href === path ? 'page' : undefined}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

const Contents = ({ headings }: { headings: readonly PageHeading[] }) => (
  <nav class="contents" aria-label="On this page">
    <p class="side-title">On this page</p>
    <ul>
      {headings.map(({ level, id, text }) => (
        <li class={level > 2 ? 'contents-sub' : undefined}>
          <a href={`#${id}`}>{text}</a>
        </li>
      ))}
    </ul>
  </nav>
);

/** A page of the documentation: navigation, content, and the headings of the page. */
export function DocsLayout({ path, title, lead, navigation, headings = [], children }: DocsLayoutProps) {
  return (
    <div class="docs">
      <Navigation navigation={navigation} path={path} />
      <main id="main" class="article" tabIndex={-1}>
        <button type="button" class="button button-small side-open" popovertarget="side">
          All pages
        </button>
        <h1>{title}</h1>
        {lead && <p class="lead">{lead}</p>}
        {children}
      </main>
      {headings.length > 1 && <Contents headings={headings} />}
    </div>
  );
}
