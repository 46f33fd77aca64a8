import { appTexts } from '../../app/app-texts';
import { callApi } from '../../app/call-api';
import { useLoaded } from '../../app/use-loaded';
import { useTexts } from '../../app/use-texts';
import { Button } from '../../kit/button';
import { Alert } from '../../kit/content';
import { Dialog } from '../../kit/dialog';
import type { FlowVersion } from '../data';
import { useFlowsTexts } from '../flows-texts';
import { Diff, flowText } from '../parts/diff';
import { useErrorText } from '../parts/use-error-text';

type Newest = Pick<FlowVersion, 'version' | 'digest'>;

interface ConflictDialogProps {
  name: string;
  text: string;
  onClose: () => void;
  /** Keeps the text of the user. The next save adds a new version after `newest`. */
  onKeep: (newest: Newest) => void;
  /** Replaces the text of the user by the text of `newest`. */
  onTake: (newest: Newest, text: string) => void;
}

/** A flow as text, without the optional fields `name` and `$schema`, so that the dialog does not show these fields as differences. */
const comparable = (flow: object) => flowText({ ...flow, name: undefined, $schema: undefined });

/** The text of the user, without the same two fields. It is valid JSON, because the page sends only a valid text to the service. */
const formatted = (text: string) => comparable(JSON.parse(text) as object);

/** Opens if somebody else has saved a version meanwhile. Shows how this version and the user's text differ, and what the user can do. */
export function ConflictDialog({ name, text, onClose, onKeep, onTake }: ConflictDialogProps) {
  const { edit, change, version: versionText } = useFlowsTexts();
  const { conflict } = edit;
  const { close } = useTexts(appTexts);
  const errorTextOf = useErrorText();
  const { value, error } = useLoaded(name, async (signal) => {
    const flow = await callApi('get', '/v1/flows/{name}', { path: { name }, query: { limit: 1 }, signal });
    const path = { name, version: String(flow.newest) };
    return callApi('get', '/v1/flows/{name}/versions/{version}', { path, signal });
  });
  return (
    <Dialog title={conflict.title} close={close} onClose={onClose}>
      {error !== undefined && <Alert tone="bad">{errorTextOf(error)}</Alert>}
      {value && (
        <>
          <p>{conflict.lead(value.version, value.createdBy)}</p>
          <Diff
            from={{ name: versionText(value.version), text: comparable(value.definition) }}
            to={{ name: change.yourText, text: formatted(text) }}
          />
          <p class="soft small">{conflict.keepHint(value.version)}</p>
          <div class="form-actions">
            <Button tone="main" onClick={() => onKeep(value)}>
              {conflict.keep}
            </Button>
            <Button onClick={() => onTake(value, flowText(value.definition))}>{conflict.take(value.version)}</Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
