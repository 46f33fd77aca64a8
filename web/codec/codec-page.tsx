import { ApiProblem, callApi } from '../app/call-api';
import { Failure } from '../app/failure';
import { readSettings } from '../app/settings';
import { useLoaded } from '../app/use-loaded';
import { useTexts } from '../app/use-texts';
import { View } from '../app/view';
import { codecTexts } from './texts';

/** Opens a session of the codec server. Because of `credentials`, the browser saves the cookie of this session. */
async function openSession(signal: AbortSignal): Promise<{ expiresInSeconds: number }> {
  try {
    return await callApi('post', '/v1/codec/session', { credentials: 'same-origin', signal });
  } catch (error) {
    // The access token was invalid, and the user has signed in again. So the call can be repeated.
    if (error instanceof ApiProblem && error.code === 'signed_out') return openSession(signal);
    throw error;
  }
}

/** The page on which an operator signs in. Then the Temporal UI in this browser can read payloads. */
export function CodecPage() {
  const texts = useTexts(codecTexts);
  const { value, error, reload } = useLoaded('session', openSession);
  if (error !== undefined)
    return <Failure error={error} tab={texts.tab} scopeHint={texts.scopeHint} onRetry={reload} />;
  if (!value) return null;
  return (
    <View heading={texts.signedIn} tab={texts.tab} isCentered>
      <p class="soft">{texts.effect(Math.round(value.expiresInSeconds / 60))}</p>
      <p>
        <a href={readSettings('codec').uiUrl} rel="noreferrer">
          {texts.openUi}
        </a>
        . {texts.reloadUi}
      </p>
    </View>
  );
}
