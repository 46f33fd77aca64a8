import { useState } from 'preact/hooks';
import { Button } from '../kit/button';
import { Alert } from '../kit/content';
import { Dialog } from '../kit/dialog';
import { TextField } from '../kit/field';
import { requestAccessToken } from './access-token';

/** Asks for the id and the secret of a client, and gets an access token for it. */
export function TokenDialog({ onToken, onClose }: { onToken: (token: string) => void; onClose: () => void }) {
  const [id, setId] = useState('');
  const [secret, setSecret] = useState('');
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setError('');
    await requestAccessToken(id.trim(), secret).then(onToken, ({ message }: Error) => setError(message));
    setBusy(false);
  };
  return (
    <Dialog title="Get an access token" close="Close" onClose={onClose}>
      <form class="form" onSubmit={(event) => void submit(event)}>
        {error && <Alert tone="bad">{error}</Alert>}
        <TextField label="Client id" value={id} required onInput={({ currentTarget }) => setId(currentTarget.value)} />
        <TextField
          label="Client secret"
          type="password"
          value={secret}
          required
          onInput={({ currentTarget }) => setSecret(currentTarget.value)}
        />
        <div class="form-actions">
          <Button tone="main" type="submit" isBusy={isBusy}>
            Get token
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
