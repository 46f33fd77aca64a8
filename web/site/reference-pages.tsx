import { DocsLayout, type NavigationGroup } from './docs-layout';
import { InlineCode } from './inline-code';
import type { SiteInputs } from './inputs';
import type { Page } from './page';
import { problemGroups, Problems } from './problems';
import { ApiOverview, apiOverviewHeadings } from './reference/api-overview';
import { OperationSection } from './reference/operation-section';
import { groupsOf, groupUrl, type Operation, operationsOf } from './reference/operations';

/** The pages of the API reference and of the problems. */
export function renderReference({ document, problems }: Pick<SiteInputs, 'document' | 'problems'>): Page[] {
  const operations = operationsOf(document);
  const groups = groupsOf(document, operations);
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

  return [
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
  ];
}
