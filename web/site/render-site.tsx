import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DocsLayout, type NavigationGroup } from './docs-layout';
import { type PageContent, renderPage, type SiteContext } from './document';
import { createHttpFile } from './downloads/http-file';
import { createPostmanCollection } from './downloads/postman-collection';
import { planRequests } from './downloads/request-plan';
import { type Guide, guideGroups, guides } from './guides';
import { hashedFile } from './hashed-file';
import { InlineCode } from './inline-code';
import type { SiteFile, SiteInputs } from './inputs';
import { Landing } from './landing';
import { readImages } from './markdown/images';
import { decisionUrl } from './markdown/links';
import { renderMarkdown, type RenderedGuide } from './markdown/render-markdown';
import { Overview } from './overview';
import { problemGroups, Problems } from './problems';
import { ApiOverview, apiOverviewHeadings } from './reference/api-overview';
import { OperationSection } from './reference/operation-section';
import { groupsOf, groupUrl, type Operation, operationsOf } from './reference/operations';
import { type SearchEntry, shorten } from './search-index';

interface Page extends PageContent {
  entries: SearchEntry[];
}

/** The level-2 sections of a Markdown text with these titles. */
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

const entriesOf = (url: string, page: string, { sections }: RenderedGuide): SearchEntry[] =>
  sections
    .filter(({ heading, text }) => heading !== '' || text.trim() !== '')
    .map(({ id, heading, text }) => ({ url: id === '' ? url : `${url}#${id}`, page, heading, text: shorten(text) }));

const Html = ({ html }: { html: string }) => <div class="prose" dangerouslySetInnerHTML={{ __html: html }} />;

/** Renders all pages, downloads and images of the documentation site. */
export async function renderSite({ root, document, problems, assetUrl }: SiteInputs): Promise<SiteFile[]> {
  const { images, files: imageFiles } = await readImages(root);
  const operations = operationsOf(document);
  const groups = groupsOf(document, operations);
  const guideNavigation: NavigationGroup[] = guideGroups.map((group) => ({
    title: group.title,
    links: group.guides.map(({ slug, title }) => ({ href: `/docs/${slug}`, label: title })),
  }));
  const navigation: NavigationGroup[] = [
    ...guideNavigation,
    {
      title: 'Reference',
      links: [
        { href: '/docs/api', label: 'API reference' },
        { href: '/docs/problems', label: 'Problems' },
        { href: '/docs/decisions', label: 'Decisions' },
      ],
    },
  ];
  const apiNavigation: NavigationGroup[] = [
    { title: 'API reference', links: [{ href: '/docs/api', label: 'Overview' }] },
    { title: 'Operations', links: groups.map(({ name }) => ({ href: groupUrl(name), label: name })) },
    {
      title: 'More',
      links: [
        { href: '/docs/problems', label: 'Problems' },
        { href: '/docs', label: 'Guides' },
      ],
    },
  ];
  const files: SiteFile[] = [...imageFiles];

  const readMarkdown = (file: string, sections?: Guide['sections']) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    const rendered = renderMarkdown(sections ? pickSections(text, sections) : text, file, images);
    files.push(...rendered.files);
    return rendered;
  };

  const guidePage = ({ slug, file, title, purpose, sections }: Guide): Page => {
    const url = `/docs/${slug}`;
    const guide = readMarkdown(file, sections);
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

  const decisionPages = readdirSync(path.join(root, 'docs', 'decisions'))
    .filter((file) => file.endsWith('.md'))
    .toSorted()
    .map((name): Page => {
      const url = decisionUrl(name);
      const { title, ...decision } = readMarkdown(`docs/decisions/${name}`);
      return {
        path: url,
        title,
        description: `A decision about the design of Countersign: ${title}`,
        area: 'docs',
        entries: [{ url, page: 'Decisions', heading: title, text: shorten(decision.sections[0]?.text ?? '') }],
        children: (
          <DocsLayout path="/docs/decisions" title={title} navigation={navigation}>
            <Html html={decision.html} />
          </DocsLayout>
        ),
      };
    });

  const decisionList: Page = {
    path: '/docs/decisions',
    title: 'Decisions',
    description: 'Why Countersign is as it is: each choice with its alternatives.',
    area: 'docs',
    entries: [],
    children: (
      <DocsLayout
        path="/docs/decisions"
        title="Decisions"
        lead="Why Countersign is as it is: each choice with its alternatives."
        navigation={navigation}
      >
        <ul class="plain-list">
          {decisionPages.map(({ path: href, title }) => (
            <li>
              <a href={href}>{title}</a>
            </li>
          ))}
        </ul>
      </DocsLayout>
    ),
  };

  const groupPage = ({ name, description }: { name: string; description: string }): Page => {
    const url = groupUrl(name);
    const members = operations.filter(({ group }) => group === name);
    return {
      path: url,
      title: name,
      description,
      area: 'api',
      entries: members.map((operation: Operation) => ({
        url: operation.url,
        page: `API: ${name}`,
        heading: operation.summary,
        text: `${operation.method} ${operation.path} ${operation.id} ${operation.scope ?? ''}`,
      })),
      children: (
        <DocsLayout path={url} title={name} lead={description} navigation={apiNavigation}>
          {members.length > 1 && (
            <nav class="operation-links" aria-label={`Operations of ${name}`}>
              <ul>
                {members.map((operation) => (
                  <li>
                    <a href={`#${operation.id}`}>
                      <InlineCode text={operation.summary} />
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
          )}
          {members.map((operation) => (
            <OperationSection operation={operation} components={document.components} />
          ))}
        </DocsLayout>
      ),
    };
  };

  const picture = images.get('docs/images/inbox.png');
  if (!picture) throw new Error('docs/images/inbox.png does not exist.');
  const pages: Page[] = [
    {
      path: '/',
      title: 'identity verification over one API',
      description: 'Confirm a person by SMS, e-mail, WhatsApp or biometrics, on your own servers.',
      entries: [],
      children: <Landing picture={picture} />,
    },
    {
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
    },
    ...guides.map(guidePage),
    decisionList,
    ...decisionPages,
    {
      path: '/docs/api',
      title: 'API reference',
      description: 'Every operation of the Countersign API.',
      area: 'api',
      entries: [],
      children: (
        <DocsLayout
          path="/docs/api"
          title="API reference"
          lead="A REST API with JSON bodies. Errors are problems (RFC 9457), and each change may have an Idempotency-Key."
          navigation={apiNavigation}
          headings={apiOverviewHeadings}
        >
          <ApiOverview document={document} operations={operations} />
        </DocsLayout>
      ),
    },
    ...groups.map(groupPage),
    {
      path: '/docs/problems',
      title: 'Problems',
      description: 'Every problem code: its status, its cause and what to do.',
      area: 'problems',
      entries: Object.entries(problems).map(([code, { title, detail }]) => ({
        url: `/docs/problems#${code}`,
        page: 'Problems',
        heading: code,
        text: `${title}. ${detail}`,
      })),
      children: (
        <DocsLayout
          path="/docs/problems"
          title="Problems"
          lead="Every problem code of the API: its status, its cause and what to do."
          navigation={apiNavigation}
          headings={problemGroups(problems).map(({ id, title }) => ({ level: 2, id, text: title }))}
        >
          <Problems problems={problems} operations={operations} />
        </DocsLayout>
      ),
    },
    {
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
    },
  ];

  const index = hashedFile('search', 'json', JSON.stringify(pages.flatMap(({ entries }) => entries)));
  const context: SiteContext = { assetUrl, searchIndex: index.path };
  const requests = planRequests(document);
  return [
    ...files,
    index,
    {
      path: '/docs/downloads/countersign.http',
      type: 'text/plain; charset=utf-8',
      body: createHttpFile(requests),
      download: 'countersign.http',
    },
    {
      path: '/docs/downloads/countersign.postman_collection.json',
      type: 'application/json; charset=utf-8',
      body: createPostmanCollection(document, requests),
      download: 'countersign.postman_collection.json',
    },
    ...pages.map((page) => ({
      path: page.path,
      type: 'text/html; charset=utf-8',
      body: renderPage(context, page),
    })),
  ];
}
