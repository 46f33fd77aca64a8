import { useState } from 'preact/hooks';
import { appTexts } from '../../app/app-texts';
import { ApiProblem, callApi } from '../../app/call-api';
import { newIdempotencyKey } from '../../app/idempotency-key';
import { announceInNextView } from '../../app/messages';
import { useTexts } from '../../app/use-texts';
import { Button, ButtonLink } from '../../kit/button';
import { Alert } from '../../kit/content';
import { Dialog } from '../../kit/dialog';
import { hashes } from '../addresses';
import type { FlowDefinition, FlowDetails } from '../data';
import { useFlowsTexts } from '../flows-texts';
import { Diff, flowText } from '../parts/diff';
import { useErrorText } from '../parts/use-error-text';

interface VersionActionsProps {
  flow: FlowDetails;
  /** The number of the shown version. */
  chosen: number;
  definition: FlowDefinition;
  isDeleted: boolean;
  /** Called after the active version has changed. */
  onChanged: () => void;
}

/** What the dialog does, and the two versions that it compares. */
interface Change {
  kind: 'activate' | 'rollBack' | 'compare';
  /** The version that is active now. */
  from?: { version: number; text: string };
  /** The version that the dialog activates, or compares with the active version. */
  to: { version: number; text: string };
}

const readText = async (name: string, version: number) => {
  const path = { name, version: String(version) };
  return flowText((await callApi('get', '/v1/flows/{name}/versions/{version}', { path })).definition);
};

const send = (name: string, { kind, from, to }: Change): Promise<unknown> =>
  kind === 'activate'
    ? callApi('post', '/v1/flows/{name}/activate', {
        path: { name },
        body: { version: to.version, active: from?.version ?? null },
      })
    : callApi('post', '/v1/flows/{name}/rollback', {
        ...{ path: { name }, body: { version: to.version } },
        // If the answer is lost, `callApi` repeats the request with the same key, so the service rolls back only once.
        headers: { 'Idempotency-Key': newIdempotencyKey() },
      });

interface ChangeDialogProps {
  name: string;
  change: Change;
  onDone: () => void;
  onClose: () => void;
}

/** Shows what an action would change. A button in the dialog then does the action. */
function ChangeDialog({ name, change, onDone, onClose }: ChangeDialogProps) {
  const texts = useFlowsTexts();
  const { change: labels } = texts;
  const { close } = useTexts(appTexts);
  const errorTextOf = useErrorText();
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const { kind, from, to } = change;
  const apply = async () => {
    if (isBusy) return;
    setBusy(true);
    setError('');
    try {
      await send(name, change);
      announceInNextView(kind === 'activate' ? labels.activated(to.version) : labels.rolledBack(to.version));
      onDone();
    } catch (failure) {
      const isChanged = failure instanceof ApiProblem && failure.code === 'flow_activation_changed';
      setError(isChanged ? labels.changed : errorTextOf(failure));
    } finally {
      setBusy(false);
    }
  };
  const title = {
    activate: labels.activateTitle(to.version),
    rollBack: labels.rollBackTitle(to.version),
    compare: labels.compareTitle(from?.version ?? 0, to.version),
  }[kind];
  return (
    <Dialog title={title} close={close} onClose={onClose}>
      {kind === 'activate' && <p>{labels.activateLead(from?.version, to.version)}</p>}
      {kind === 'rollBack' && <p>{labels.rollBackLead(from?.version ?? 0, to.version)}</p>}
      {from && (
        <Diff
          from={{ name: texts.version(from.version), text: from.text }}
          to={{ name: texts.version(to.version), text: to.text }}
        />
      )}
      {error && <Alert tone="bad">{error}</Alert>}
      {kind !== 'compare' && (
        <div class="form-actions">
          <Button tone="main" isBusy={isBusy} onClick={() => void apply()}>
            {kind === 'activate' ? labels.activate : labels.rollBack}
          </Button>
        </div>
      )}
    </Dialog>
  );
}

/** The buttons of a version: edit, activate, roll back, compare. A built-in flow has none, because it is part of the service. */
export function VersionActions({ flow, chosen, definition, isDeleted, onChanged }: VersionActionsProps) {
  const texts = useFlowsTexts();
  const errorTextOf = useErrorText();
  const [change, setChange] = useState<Change>();
  const [error, setError] = useState('');
  const { active, rollbackTo, name, source } = flow;
  if (source === 'code' || isDeleted) return null;
  const own = { version: chosen, text: flowText(definition) };
  const open = async (kind: Change['kind']) => {
    setError('');
    try {
      if (kind === 'rollBack') {
        if (rollbackTo === undefined || active === undefined) return;
        const [from, to] = await Promise.all([readText(name, active), readText(name, rollbackTo)]);
        setChange({ kind, from: { version: active, text: from }, to: { version: rollbackTo, text: to } });
      } else {
        const from = active === undefined ? {} : { from: { version: active, text: await readText(name, active) } };
        setChange({ kind, ...from, to: own });
      }
    } catch (failure) {
      setError(errorTextOf(failure));
    }
  };
  const isActive = chosen === active;
  return (
    <div class="form-actions">
      <ButtonLink tone="small" href={hashes.edit(name, chosen)}>
        {texts.edit.action}
      </ButtonLink>
      {!isActive && (
        <Button tone="small" onClick={() => void open('activate')}>
          {texts.change.activate}
        </Button>
      )}
      {!isActive && active !== undefined && (
        <Button tone="small" onClick={() => void open('compare')}>
          {texts.change.compare}
        </Button>
      )}
      {isActive && rollbackTo !== undefined && (
        <Button tone="small" onClick={() => void open('rollBack')}>
          {texts.change.rollBack}
        </Button>
      )}
      {error && <Alert tone="bad">{error}</Alert>}
      {change && (
        <ChangeDialog
          name={name}
          change={change}
          onClose={() => setChange(undefined)}
          onDone={() => {
            setChange(undefined);
            location.hash = hashes.version(name, change.to.version);
            onChanged();
          }}
        />
      )}
    </div>
  );
}
