/** Marks in the table of contents which heading the reader has reached. */
export function markCurrentHeading(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.contents a')];
  const headings = links.flatMap(({ hash }) => document.getElementById(decodeURIComponent(hash.slice(1))) ?? []);
  if (headings.length === 0) return;
  const mark = () => {
    // The current heading is the last one that begins in the upper third of the window, or above the window.
    const line = window.innerHeight / 3;
    const index = Math.max(
      0,
      headings.findLastIndex((heading) => heading.getBoundingClientRect().top < line),
    );
    for (const [position, link] of links.entries())
      if (position === index) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
  };
  const observer = new IntersectionObserver(mark, { rootMargin: '0px 0px -66% 0px' });
  for (const heading of headings) observer.observe(heading);
}
