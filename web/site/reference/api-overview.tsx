import { InlineCode } from '../inline-code';
import { Alert, Heading, Table } from '../../kit/content';
import type { OpenApiDocument } from './openapi';
import { groupsOf, groupUrl, type Operation } from './operations';
import { MethodTag } from './operation-section';

/** The headings of the first page of the reference, for its table of contents. */
export const apiOverviewHeadings = [
  { level: 2, id: 'authentication', text: 'Authentication' },
  { level: 2, id: 'downloads', text: 'Downloads' },
  { level: 2, id: 'operations', text: 'Operations' },
];

/** The first page of the reference: how to authenticate, downloads, and all operations. */
export function ApiOverview({ document, operations }: { document: OpenApiDocument; operations: readonly Operation[] }) {
  const { scopes } = document.components.securitySchemes.token.flows.clientCredentials;
  return (
    <>
      <section>
        <Heading level={2} id="authentication">
          Authentication
        </Heading>
        <p>
          Send an access token with each call: <code>Authorization: Bearer &lt;access_token&gt;</code>. You get one from{' '}
          <a href={`${groupUrl('Access')}#createToken`}>POST /oauth2/token</a> with the id and secret of your client. On
          a local stack, <code>npm run -s token</code> prints one.
        </p>
        <Table
          label="Scopes"
          head={['Scope', 'Allows']}
          rows={Object.entries(scopes).map(([scope, description]) => [<code>{scope}</code>, description])}
        />
        <Alert>
          The forms on these pages call the service that serves this page. They keep your access token until you close
          the tab.
        </Alert>
      </section>
      <section>
        <Heading level={2} id="downloads">
          Downloads
        </Heading>
        <ul>
          <li>
            <a href="/docs/downloads/countersign.postman_collection.json">Postman collection</a>: each request saves the
            ids that the next requests need. Import it, then set the variables <code>baseUrl</code>,{' '}
            <code>clientId</code> and <code>clientSecret</code>.
          </li>
          <li>
            <a href="/docs/downloads/countersign.http">Requests as a .http file</a>, for VS Code with REST Client, and
            for httpYac.
          </li>
          <li>
            <a href="/openapi.json">OpenAPI 3.1 document</a> of this service, for code generators.
          </li>
        </ul>
      </section>
      <section>
        <Heading level={2} id="operations">
          Operations
        </Heading>
        {groupsOf(document, operations).map(({ name, description }) => (
          <section>
            <h3>
              <a href={groupUrl(name)}>{name}</a>
            </h3>
            <p>{description}</p>
            <ul class="operation-list">
              {operations
                .filter(({ group }) => group === name)
                .map(({ url, method, path, summary }) => (
                  <li>
                    <a href={url}>
                      <MethodTag method={method} /> <code>{path}</code>
                    </a>
                    <span class="soft">
                      <InlineCode text={summary} />
                    </span>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </section>
    </>
  );
}
