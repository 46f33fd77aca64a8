import { render } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../kit/button';
import { Alert, Tag } from '../kit/content';
import { TextArea, TextField } from '../kit/field';
import { readAccessToken, saveAccessToken } from './access-token';
import { sendRequest, type TryItResponse } from './send-request';
import { TokenDialog } from './token-dialog';
import type { TryItOperation } from './try-it-operation';

const Response = ({ response }: { response: TryItResponse }) => (
  <div class="try-response">
    <p>
      <Tag tone={response.status < 400 ? 'good' : 'bad'}>
        {response.status} {response.statusText}
      </Tag>{' '}
      <span class="soft">{response.durationMs} ms</span>
    </p>
    {response.text !== '' && (
      <div class="code">
        <pre tabIndex={0}>
          <code>{response.text}</code>
        </pre>
      </div>
    )}
    <details>
      <summary>Headers</summary>
      <div class="code">
        <pre tabIndex={0}>
          <code>{response.headers.map(([name, value]) => `${name}: ${value}`).join('\n')}</code>
        </pre>
      </div>
    </details>
  </div>
);

function TokenField({ token, setToken }: { token: string; setToken: (token: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <TextField
        label="Access token"
        type="password"
        value={token}
        required
        onInput={({ currentTarget }) => setToken(currentTarget.value.trim())}
      />
      <div>
        <Button tone="small" onClick={() => setOpen(true)}>
          Get a token for a client
        </Button>
      </div>
      {isOpen && (
        <TokenDialog
          onClose={() => setOpen(false)}
          onToken={(issued) => {
            setToken(issued);
            setOpen(false);
          }}
        />
      )}
    </>
  );
}

function TryIt({ operation }: { operation: TryItOperation }) {
  const [token, setToken] = useState(readAccessToken);
  const [parameters, setParameters] = useState<Record<string, string>>({});
  const [body, setBody] = useState(operation.body?.example ?? '');
  const [state, setState] = useState<{ isBusy?: boolean; error?: string; response?: TryItResponse }>({});
  const changeToken = (value: string) => {
    setToken(value);
    saveAccessToken(value);
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    if (state.isBusy) return;
    setState({ isBusy: true });
    await sendRequest(operation, { parameters, body, token }).then(
      (response) => setState({ response }),
      () => setState({ error: 'There was no response. Check the connection and try again.' }),
    );
  };
  return (
    <form class="form" onSubmit={(event) => void submit(event)}>
      {operation.needsToken && <TokenField token={token} setToken={changeToken} />}
      {operation.parameters.map(({ name, required }) => (
        <TextField
          key={name}
          label={<code>{name}</code>}
          value={parameters[name] ?? ''}
          required={required}
          onInput={({ currentTarget }) => setParameters({ ...parameters, [name]: currentTarget.value.trim() })}
        />
      ))}
      {operation.body && (
        <TextArea
          label={`Body (${operation.body.type})`}
          isCode
          rows={Math.min(14, body.split('\n').length + 1)}
          value={body}
          onInput={({ currentTarget }) => setBody(currentTarget.value)}
        />
      )}
      <div class="form-actions">
        <Button tone="main" type="submit" isBusy={state.isBusy ?? false}>
          Send
        </Button>
      </div>
      {state.error && <Alert tone="bad">{state.error}</Alert>}
      <div role="status">{state.response && <Response response={state.response} />}</div>
    </form>
  );
}

/** Shows the form to call an operation. `details`: the element for the form. Its attribute `data-try` has the operation. */
export function showForm(details: HTMLElement): void {
  const place = details.querySelector('.try-form');
  if (!place) return;
  place.replaceChildren();
  render(<TryIt operation={JSON.parse(details.dataset['try'] ?? '') as TryItOperation} />, place);
}
