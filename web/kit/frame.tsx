import type { ComponentChildren } from 'preact';

/** A link in the bar at the top. `isCurrent`: whether it leads to the current part of the site. */
export interface BarLink {
  href: string;
  label: string;
  isCurrent?: boolean;
}

export interface FrameProps {
  brand: string;
  /** The URL of the logo. */
  logo: string;
  /** The text of the link that skips the bar. */
  skip: string;
  links?: readonly BarLink[];
  /** Controls at the end of the bar, such as a search button. */
  actions?: ComponentChildren;
  footer?: ComponentChildren;
  children: ComponentChildren;
}

/** The frame of a page: a link to skip the bar, the bar, the content and the footer. `children` must have `<main id="main">`. */
export function Frame({ brand, logo, skip, links = [], actions, footer, children }: FrameProps) {
  return (
    <>
      <a class="skip" href="#main">
        {skip}
      </a>
      <header class="bar">
        <div class="bar-inner">
          <a class="brand" href="/">
            <img src={logo} alt="" width="28" height="28" />
            <span>{brand}</span>
          </a>
          {links.length > 0 && (
            <nav class="bar-links" aria-label="Site">
              {links.map(({ href, label, isCurrent }) => (
                <a href={href} aria-current={isCurrent ? 'true' : undefined}>
                  {label}
                </a>
              ))}
            </nav>
          )}
          {actions}
        </div>
      </header>
      {children}
      {footer && <footer class="foot">{footer}</footer>}
    </>
  );
}
