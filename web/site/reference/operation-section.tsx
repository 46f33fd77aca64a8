import { CodeBlock, Heading, Tag, type Tone } from '../../kit/content';
import { InlineCode } from '../inline-code';
import { highlight } from '../markdown/highlight';
import type { TryItOperation } from '../../browser/try-it-operation';
import type { OpenApiDocument } from './openapi';
import type { Operation, OperationResponse } from './operations';
import { curlOf, exampleBody } from './sample-request';
import { SchemaFields, typeOf } from './schema-fields';

type Components = OpenApiDocument['components'];

const methodTones: Record<string, Tone> = { GET: 'info', POST: 'good', PUT: 'warn', DELETE: 'bad' };

export const MethodTag = ({ method }: { method: string }) => (
  <Tag tone={methodTones[method] ?? 'neutral'}>{method}</Tag>
);

const parameterPlaces = { path: 'in the path', query: 'in the query', header: 'header' };

function Parameters({ operation, components }: { operation: Operation; components: Components }) {
  if (operation.parameters.length === 0) return null;
  return (
    <>
      <h3 class="part">Parameters</h3>
      <ul class="props">
        {operation.parameters.map(({ name, in: place, required, description, schema }) => (
          <li class="prop">
            <p class="prop-head">
              <code class="prop-name">{name}</code>{' '}
              <span class="prop-type">
                {typeOf(components.schemas, schema)}, {parameterPlaces[place]}
              </span>{' '}
              {required && <Tag tone="warn">required</Tag>}
            </p>
            {description && (
              <p>
                <InlineCode text={description} />
              </p>
            )}
            {schema.enum && (
              <p class="values">
                One of{' '}
                {schema.enum.map((value) => (
                  <>
                    <code>{String(value)}</code>{' '}
                  </>
                ))}
              </p>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function SuccessResponse({ response, components }: { response: OperationResponse; components: Components }) {
  const [type, media] = Object.entries(response.content ?? {})[0] ?? [];
  const headers = Object.keys(response.headers ?? {});
  return (
    <div class="response">
      <h3 class="part">
        Response <Tag tone="good">{response.status}</Tag> {type && <span class="prop-type">{type}</span>}
      </h3>
      {!media && <p>{response.description}</p>}
      {media && <SchemaFields schemas={components.schemas} schema={media.schema} />}
      {headers.length > 0 && (
        <p class="soft">
          Headers:{' '}
          {headers.map((header, index) => (
            <>
              {index > 0 && ', '}
              <code>{header}</code>
            </>
          ))}
        </p>
      )}
    </div>
  );
}

/** The errors of an operation. Each problem code links to its entry on the page of problems. */
function Errors({ operation }: { operation: Operation }) {
  const errors = operation.responses.filter(({ status }) => status >= 400);
  if (errors.length === 0) return null;
  return (
    <details class="errors">
      <summary>
        Errors of {operation.id} ({operation.codes.length || errors.length})
      </summary>
      <dl class="facts">
        {errors.map(({ status, description }) => (
          <>
            <dt>{status}</dt>
            <dd>
              {description.split(/(`[a-z_]+`)(?=: )/).map((part) =>
                part.startsWith('`') ? (
                  <a href={`/docs/problems#${part.slice(1, -1)}`}>
                    <code>{part.slice(1, -1)}</code>
                  </a>
                ) : (
                  <InlineCode text={part} />
                ),
              )}
            </dd>
          </>
        ))}
      </dl>
    </details>
  );
}

/** The data of an operation for the form with which a reader calls the operation. */
const tryItOf = (operation: Operation): TryItOperation => ({
  id: operation.id,
  method: operation.method,
  path: operation.path,
  needsToken: operation.scope !== undefined,
  parameters: operation.parameters.map(({ name, in: place, required = false }) => ({ name, in: place, required })),
  ...(operation.body ? { body: { type: operation.body.type, example: exampleBody(operation) ?? '' } } : {}),
});

/** One operation. Its description, parameters and responses are on the left. Samples and the form are on the right. */
export function OperationSection({ operation, components }: { operation: Operation; components: Components }) {
  const successes = operation.responses.filter(({ status }) => status < 400);
  const example = Object.values(successes[0]?.content ?? {})[0]?.examples?.example.value;
  return (
    <section class="operation" aria-labelledby={operation.id}>
      <Heading level={2} id={operation.id}>
        <InlineCode text={operation.summary} />
      </Heading>
      <p class="endpoint">
        <MethodTag method={operation.method} /> <code>{operation.path}</code>
      </p>
      <div class="operation-columns">
        <div class="operation-text">
          {operation.description && (
            <p>
              <InlineCode text={operation.description} />
            </p>
          )}
          <p class="soft">
            {operation.scope === undefined ? (
              'Needs no access token.'
            ) : (
              <>
                Needs an access token with the scope <code>{operation.scope}</code>.
              </>
            )}
          </p>
          <Parameters operation={operation} components={components} />
          {operation.body && (
            <>
              <h3 class="part">
                Body <span class="prop-type">{operation.body.type}</span>{' '}
                {operation.body.isRequired && <Tag tone="warn">required</Tag>}
              </h3>
              <SchemaFields schemas={components.schemas} schema={operation.body.schema} />
            </>
          )}
          {successes.map((response) => (
            <SuccessResponse response={response} components={components} />
          ))}
          <Errors operation={operation} />
        </div>
        <div class="operation-code">
          <CodeBlock title="Request" html={highlight(curlOf(operation), 'bash')} />
          {example !== undefined && (
            <CodeBlock
              title={`Response ${successes[0]?.status}`}
              html={highlight(
                typeof example === 'string' ? example : JSON.stringify(example, undefined, 2),
                typeof example === 'string' ? 'text' : 'json',
              )}
            />
          )}
          <details class="try" data-try={JSON.stringify(tryItOf(operation))}>
            <summary>Try {operation.id}</summary>
            <div class="try-form">
              <noscript>This form needs JavaScript.</noscript>
            </div>
          </details>
        </div>
      </div>
    </section>
  );
}
