import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { components } from '../api-types';
import { Button } from '../kit/button';
import { Alert } from '../kit/content';
import { TextField } from '../kit/field';
import type { Access, Gate } from './access';
import { appTexts } from './app-texts';
import { request, Unreachable } from './request';
import { useTexts } from './use-texts';

/** What a page says about its sign-in. `end`: how long the sign-in lasts. The default text says: until the page is closed or reloaded. */
export interface SignInTexts {
  heading: string;
  lead: string;
  end?: string;
}

interface FormProps {
  onAccess: (access: Access) => void;
  /** `rejected`: the access token is invalid. Undefined removes an earlier error. */
  onError: (error: 'rejected' | { text: string } | undefined) => void;
}

/** Signs in with the id and the secret of a client. */
function CredentialsForm({ onAccess, onError }: FormProps) {
  const texts = useTexts(appTexts);
  const { signIn, traceId } = texts;
  const [id, setId] = useState('');
  const [secret, setSecret] = useState('');
  const [isBusy, setBusy] = useState(false);
  const secretField = useRef<HTMLInputElement>(null);
  const submit = async () => {
    setBusy(true);
    onError(undefined);
    try {
      const body = { Username: id.trim(), Password: secret };
      const answer = await request('/v1/authentication', { method: 'POST', body });
      if (answer.status === 200) {
        const { token } = answer.body as components['schemas']['PasswordToken'];
        return onAccess({ token, name: body.Username });
      }
      if (answer.status === 401) {
        secretField.current?.select();
        return onError({ text: signIn.wrong });
      }
      const { title, detail, traceId: trace } = answer.body as Partial<components['schemas']['Problem']>;
      onError({ text: [title ?? signIn.failed, detail, trace && traceId(trace)].filter(Boolean).join(' ') });
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      onError({ text: signIn.unreachable });
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void submit();
      }}
    >
      <TextField
        label={signIn.clientId}
        autocomplete="username"
        maxLength={100}
        required
        value={id}
        onInput={({ currentTarget }) => setId(currentTarget.value)}
      />
      <TextField
        label={signIn.clientSecret}
        type="password"
        autocomplete="current-password"
        maxLength={200}
        required
        inputRef={secretField}
        value={secret}
        onInput={({ currentTarget }) => setSecret(currentTarget.value)}
      />
      <Button tone="main" type="submit" isBusy={isBusy}>
        {signIn.submit}
      </Button>
    </form>
  );
}

/** The characters of an access token (RFC 6750). With some other characters in a header, `fetch` throws. */
const tokenPattern = /^[\w.~+/=-]+$/;

/** Signs in with an access token that the user already has. */
function TokenForm({ onAccess, onError }: FormProps) {
  const { signIn } = useTexts(appTexts);
  const [token, setToken] = useState('');
  const submit = () => {
    const text = token.trim().replace(/^Bearer\s+/i, '');
    if (tokenPattern.test(text)) onAccess({ token: text, name: signIn.tokenName });
    else onError('rejected');
  };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextField
        label={signIn.accessToken}
        type="password"
        required
        value={token}
        onInput={({ currentTarget }) => setToken(currentTarget.value)}
      />
      <Button type="submit">{signIn.submitToken}</Button>
    </form>
  );
}

/** The sign-in form of a page, in place of its view. */
export function SignIn({ gate, texts }: { gate: Gate; texts: SignInTexts }): ComponentChildren {
  const { signIn } = useTexts(appTexts);
  const [error, setError] = useState<'expired' | 'rejected' | { text: string } | undefined>(gate.reason);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const form = { onAccess: gate.finish, onError: setError };
  return (
    <section class="gate">
      <h1 tabIndex={-1} ref={heading}>
        {texts.heading}
      </h1>
      <p class="soft">{texts.lead}</p>
      {error && <Alert tone="bad">{typeof error === 'string' ? signIn[error] : error.text}</Alert>}
      <CredentialsForm {...form} />
      <details open={gate.reason === 'rejected'}>
        <summary>{signIn.useToken}</summary>
        <TokenForm {...form} />
      </details>
      <p class="soft small">{texts.end ?? signIn.end}</p>
    </section>
  );
}
