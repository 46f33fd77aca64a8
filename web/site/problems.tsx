import { Alert, CodeBlock, Heading, Tag } from '../kit/content';
import type { ProblemRow, SiteInputs } from './inputs';
import { highlight } from './markdown/highlight';
import { InlineCode } from './inline-code';
import type { Operation } from './reference/operations';

const statusNames: Record<number, string> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition failed',
  413: 'Content too large',
  415: 'Unsupported media type',
  421: 'Misdirected request',
  422: 'Unprocessable content',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'Service unavailable',
};

/** The problems by HTTP status. The problems of a status are in the order of their codes. */
export function problemGroups(problems: SiteInputs['problems']) {
  const statuses = [...new Set(Object.values(problems).map(({ status }) => status))].toSorted((a, b) => a - b);
  return statuses.map((status) => ({
    status,
    id: `status-${status}`,
    title: `${status} ${statusNames[status] ?? ''}`,
    rows: Object.entries(problems)
      .filter(([, row]) => row.status === status)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  }));
}

/** An example of the body of a problem. `instance`: the path of the first operation with this problem. */
const exampleBody = (code: string, { status, title, detail, retryAfterSeconds }: ProblemRow, instance: string) => ({
  type: `http://127.0.0.1:3000/docs/problems#${code}`,
  title,
  status,
  detail,
  instance,
  code,
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
});

/**
 * The path of an operation, with example values for its parameters. This is an example for the field `instance` of a problem, which has the
 * path of the request.
 */
const pathOf = (operation: Operation | undefined) =>
  operation?.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'name' ? 'sms-token' : name === 'version' ? '1' : '0198c5e2-7a10-7c3e-9b1f-2d4e6f8a0b1c',
  ) ?? '/v1/transaction';

function ProblemEntry({ code, row, operations }: { code: string; row: ProblemRow; operations: readonly Operation[] }) {
  const users = operations.filter(({ codes }) => codes.includes(code));
  const body = exampleBody(code, row, pathOf(users[0]));
  return (
    <section class="problem" data-problem={code}>
      <Heading level={3} id={code}>
        <code>{code}</code>
      </Heading>
      <dl class="facts">
        <dt>Status</dt>
        <dd>
          <Tag tone={row.status < 500 ? 'warn' : 'bad'}>{row.status}</Tag>
          {row.retryAfterSeconds !== undefined && <> with Retry-After</>}
        </dd>
        <dt>Cause</dt>
        <dd>
          <InlineCode text={`${row.title}.`} />
        </dd>
        <dt>Fix</dt>
        <dd>
          <InlineCode text={row.detail} />
        </dd>
        {users.length > 0 && (
          <>
            <dt>Returned by</dt>
            <dd>
              {users.length > 12 ? (
                <>{users.length} operations</>
              ) : (
                users.map(({ id, url }, index) => (
                  <>
                    {index > 0 && ', '}
                    <a href={url}>{id}</a>
                  </>
                ))
              )}
            </dd>
          </>
        )}
      </dl>
      <details>
        <summary>Example body of {code}</summary>
        <CodeBlock html={highlight(JSON.stringify(body, undefined, 2), 'json')} />
      </details>
    </section>
  );
}

/** All problem codes, by status. The `type` of a problem links to its entry. */
export const Problems = ({
  problems,
  operations,
}: {
  problems: SiteInputs['problems'];
  operations: readonly Operation[];
}) => (
  <>
    <Alert>
      Every error response is <code>application/problem+json</code> (RFC 9457). Only <code>/oauth2/token</code> also has
      errors of OAuth, with the fields <code>error</code> and <code>error_description</code>. Decide by{' '}
      <code>code</code>, which never changes its meaning. Send the <code>traceId</code> to the operator if you need
      help.
    </Alert>
    {problemGroups(problems).map(({ id, title, rows }) => (
      <section>
        <Heading level={2} id={id}>
          {title}
        </Heading>
        {rows.map(([code, row]) => (
          <ProblemEntry code={code} row={row} operations={operations} />
        ))}
      </section>
    ))}
  </>
);
