import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DocsLayout, type NavigationGroup } from './docs-layout';
import { type Guide, guideGroups, guides } from './guides';
import type { SiteFile } from './inputs';
import type { readImages } from './markdown/images';
import { decisionAnchor } from './markdown/links';
import { renderMarkdown, type RenderedGuide } from './markdown/render-markdown';
import { Overview } from './overview';
import type { Page } from './page';
import { type SearchEntry, shorten } from './search-index';

/** The navigation on all pages with guides. */
const navigation: NavigationGroup[] = [
  ...guideGroups.map((group) => ({
    title: group.title,
    links: group.guides.map(({ slug, title }) => ({ href: `/docs/${slug}`, label: title })),
  })),
  {
    title: 'Reference',
    links: [
      { href: '/docs/api', label: 'API reference' },
      { href: '/docs/problems', label: 'Problems' },
      { href: '/docs/decisions', label: 'Decisions' },
    ],
  },
];

/** The level-2 sections of a Markdown text that have the given titles. */
function pickSections(text: string, titles: readonly string[]): string {
  const sections = text.split(/^(?=## )/m);
  return titles
    .map((title) => {
      const section = sections.find((candidate) => candidate.startsWith(`## ${title}\n`));
      if (section === undefined) throw new Error(`README.md has no section ${title}.`);
      return section;
    })
    .join('');
}

/** The entries of a guide in the search index, one for each section. */
const entriesOf = (url: string, page: string, { sections }: RenderedGuide): SearchEntry[] =>
  sections
    .filter(({ heading, text }) => heading !== '' || text.trim() !== '')
    .map(({ id, heading, text }) => ({ url: id === '' ? url : `${url}#${id}`, page, heading, text: shorten(text) }));

const Html = ({ html }: { html: string }) => <div class="prose" dangerouslySetInnerHTML={{ __html: html }} />;

/** The pages with guides and decisions, and the files that they show. `root`: the folder of the repository. */
export function renderGuides(
  root: string,
  images: Awaited<ReturnType<typeof readImages>>['images'],
): { pages: Page[]; files: SiteFile[] } {
  const files: SiteFile[] = [];

  /** A page with a Markdown text. `file`: the file that relative links in the text start from. */
  const markdownPage = (
    { slug, title, purpose, file }: Guide,
    text: string,
    anchorOfHeading?: (heading: string) => string,
  ): Page => {
    const url = `/docs/${slug}`;
    const guide = renderMarkdown(text, file, images, anchorOfHeading);
    files.push(...guide.files);
    return {
      path: url,
      title,
      description: purpose,
      area: 'docs',
      entries: entriesOf(url, title, guide),
      children: (
        <DocsLayout path={url} title={title} lead={purpose} navigation={navigation} headings={guide.headings}>
          <Html html={guide.html} />
        </DocsLayout>
      ),
    };
  };

  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  const guidePage = (guide: Guide) => {
    const text = read(guide.file);
    return markdownPage(guide, guide.sections ? pickSections(text, guide.sections) : text);
  };

  const folder = 'docs/decisions';
  const records = readdirSync(path.join(root, folder)).filter((name) => name.endsWith('.md'));
  const decisions = markdownPage(
    {
      slug: 'decisions',
      title: 'Decisions',
      purpose: 'Why Countersign is as it is: each choice with its alternatives.',
      file: `${folder}/README.md`,
    },
    // The title of each record becomes a heading of the page.
    records
      .toSorted()
      .map((name) => read(`${folder}/${name}`).replace(/^# /, '## '))
      .join('\n'),
    decisionAnchor,
  );

  const overview: Page = {
    path: '/docs',
    title: 'Guides',
    description: 'All guides of Countersign.',
    area: 'docs',
    entries: [],
    children: (
      <DocsLayout
        path="/docs"
        title="Documentation"
        lead="Everything that you need to call Countersign, to build on it and to run it."
        navigation={navigation}
      >
        <Overview />
      </DocsLayout>
    ),
  };

  const notFound: Page = {
    path: '/docs/not-found',
    title: 'This page does not exist',
    description: 'This page does not exist.',
    entries: [],
    children: (
      <DocsLayout
        path=""
        title="This page does not exist"
        lead="Use the search, or one of these pages."
        navigation={navigation}
      >
        <Overview />
      </DocsLayout>
    ),
  };

  return { pages: [overview, ...guides.map(guidePage), decisions, notFound], files };
}
