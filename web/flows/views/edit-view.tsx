import { useEffect, useState } from 'preact/hooks';
import { ApiProblem, callApi } from '../../app/call-api';
import { announceInNextView, showToast } from '../../app/messages';
import { View } from '../../app/view';
import { Button } from '../../kit/button';
import { Alert } from '../../kit/content';
import { TextField } from '../../kit/field';
import { hashes } from '../addresses';
import type { FlowCheck, FlowTemplate, FlowVersion } from '../data';
import { CodeEditor } from '../editor/code-editor';
import type { Editor } from '../editor/create-editor';
import { draftOf, forgetDraft, keepDraft } from '../editor/drafts';
import type { JsonSchema } from '../editor/schema';
import { type Checked, useCheck } from '../editor/use-check';
import { useFlowsTexts } from '../flows-texts';
import { Diagram } from '../parts/diagram';
import { flowText } from '../parts/diff';
import { StepsPanel } from '../parts/steps-panel';
import { useErrorText } from '../parts/use-error-text';
import { formatSeconds } from '../times';
import { ConflictDialog } from './conflict-dialog';
import { IssueList } from './issue-list';
import { SimulatePanel } from './simulate-panel';

/** The first text of a new flow, which asks for one code by SMS. The text is valid, so the page shows a diagram at once. */
const firstText = flowText({
  title: '',
  start: 'code',
  steps: {
    code: {
      ...{ kind: 'confirm', channel: 'sms', ask: 'token', template: 'sms-token' },
      ...{ expiresAfterSeconds: 300, sendLimit: 2, resendAfterSeconds: 60 },
      ...{ attemptLimit: 5, codeDigits: 6, resend: 'reuse' },
      exits: { Valid: 'confirmed', Expired: 'lost', Blocked: 'lost', Failed: 'lost' },
    },
    confirmed: { kind: 'outcome', outcome: 'Confirmed' },
    lost: { kind: 'outcome', outcome: 'Lost' },
  },
});

interface LoadedText {
  /** Empty for a new flow. */
  name: string;
  text: string;
  /** The newest version. Undefined for a new flow. Saving adds a newer version. */
  newest: Pick<FlowVersion, 'version' | 'digest'> | undefined;
  /** The number of the active version, if one is active. */
  active: number | undefined;
  schema: JsonSchema;
  templates: readonly FlowTemplate[];
}

/** Reads the version to edit, and the data for completion. Without a name and a version, returns the text of a new flow. */
export async function readText(place: { name?: string; version?: number }, signal: AbortSignal): Promise<LoadedText> {
  const [schema, { templates }] = await Promise.all([
    callApi('get', '/v1/flows/schema', { signal }),
    callApi('get', '/v1/flows/templates', { signal }),
  ]);
  const language = { schema: schema as JsonSchema, templates };
  const { name, version } = place;
  if (name === undefined || version === undefined)
    return { name: '', text: firstText, newest: undefined, active: undefined, ...language };
  const path = { name, version: String(version) };
  const [flow, { definition }] = await Promise.all([
    callApi('get', '/v1/flows/{name}', { path: { name }, query: { limit: 1 }, signal }),
    callApi('get', '/v1/flows/{name}/versions/{version}', { path, signal }),
  ]);
  return { name, text: flowText(definition), newest: flow.versions[0], active: flow.active, ...language };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The diagram and the definition of the flow in the text. While the text cannot be drawn, the diagram of an earlier text stays, and
 * `isEarlier` is true. While the text is not JSON, the earlier definition stays.
 */
function useDrawing(checked: Checked | undefined, text: string) {
  const [svg, setSvg] = useState<string>();
  const [definition, setDefinition] = useState<unknown>(() => parsed(text));
  useEffect(() => {
    if (checked?.result?.diagram !== undefined) setSvg(checked.result.diagram);
  }, [checked]);
  useEffect(() => {
    const value = parsed(text);
    if (value !== undefined) setDefinition(value);
  }, [text]);
  return { svg, isEarlier: svg !== undefined && checked?.result?.diagram === undefined, definition };
}

/** The result of the check. `isCurrent`: whether the result is for the current text. */
function Status({ checked, isCurrent }: { checked: Checked | undefined; isCurrent: boolean }) {
  const { edit } = useFlowsTexts();
  if (!checked || !isCurrent) return <p class="soft">{edit.checking}</p>;
  const { result } = checked;
  if (!result) return <Alert tone="warn">{edit.notChecked}</Alert>;
  const { valid, issues, seconds = 0, sends = 0, outcomes = [] } = result;
  if (!valid) return <p class="strong">{edit.issues(issues.length)}</p>;
  return <Alert tone="good">{edit.valid(formatSeconds(seconds), sends, outcomes.join(', '))}</Alert>;
}

const noIssues: FlowCheck['issues'] = [];

/** Edits the text of a flow. Saving adds a version. If somebody else has added a version meanwhile, saving opens a dialog. */
export function EditView({ loaded }: { loaded: LoadedText }) {
  const texts = useFlowsTexts();
  const { edit } = texts;
  const errorTextOf = useErrorText();
  const { active, schema, templates } = loaded;
  const [draft] = useState(() => draftOf(loaded.name));
  const [name, setName] = useState(loaded.name);
  const [text, setText] = useState(draft?.text ?? loaded.text);
  const [newest, setNewest] = useState(loaded.newest);
  /** The digest of the version on which the text is based. Undefined for a new flow. */
  const [base, setBase] = useState(draft ? draft.base : loaded.newest?.digest);
  const [editor, setEditor] = useState<Editor>();
  const [message, setMessage] = useState<{ tone: 'info' | 'bad'; text: string } | undefined>(
    draft && { tone: 'info', text: edit.restored },
  );
  const [isBusy, setBusy] = useState(false);
  const [isConflict, setConflict] = useState(false);
  const checked = useCheck(name, text);
  const isCurrent = checked?.text === text;
  const { svg, isEarlier, definition } = useDrawing(checked, text);
  const isNew = loaded.name === '';
  const isChanged = text !== loaded.text;

  const change = (newText: string, newBase: string | undefined) => {
    setText(newText);
    setBase(newBase);
    setMessage(undefined);
    if (newText === loaded.text) forgetDraft(loaded.name);
    else keepDraft(loaded.name, { text: newText, base: newBase });
  };
  const replace = (newText: string, newBase: string | undefined) => {
    editor?.replaceText(newText);
    // `replaceText` has already called `change`, but with the earlier base.
    change(newText, newBase);
  };
  const save = async () => {
    if (isBusy) return;
    const fail = (problem: string) => setMessage({ tone: 'bad', text: problem });
    if (name.trim() === '') return fail(edit.nameMissing);
    if (!isCurrent) return fail(edit.checking);
    if (!checked.result) return fail(edit.notChecked);
    if (!checked.result.valid) return fail(edit.hasIssues);
    setBusy(true);
    const { hash } = location;
    try {
      // With this header, the service saves the text only if nobody else has saved a version after `base`.
      const condition: Record<string, string> =
        base === undefined ? { 'If-None-Match': '*' } : { 'If-Match': `"${base}"` };
      const saved = await callApi('put', '/v1/flows/{name}', {
        ...{ path: { name }, body: JSON.parse(text) as never, headers: condition },
      });
      // The user may have left this view meanwhile, and may even have come back and written more.
      const isNewest = (draftOf(loaded.name)?.text ?? text) === text;
      if (isNewest) forgetDraft(loaded.name);
      const isAdded = saved.version !== newest?.version;
      const result = isAdded ? edit.saved(saved.version, active) : edit.unchanged(saved.version);
      if (isNewest && location.hash === hash) {
        announceInNextView(result);
        location.hash = hashes.version(name, saved.version);
      } else showToast(result);
    } catch (error) {
      if (error instanceof ApiProblem && error.code === 'flow_changed') setConflict(true);
      else fail(errorTextOf(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <View heading={isNew ? edit.headingNew : edit.heading(loaded.name)} tab={isNew ? edit.headingNew : edit.tab(name)}>
      <div class="line">
        <p class="soft">{isNew ? edit.leadNew : edit.lead}</p>
        <a href={isNew ? hashes.flows : hashes.flow(loaded.name)}>{isNew ? texts.allFlows : loaded.name}</a>
      </div>
      {isNew && (
        <TextField
          label={edit.name}
          hint={edit.nameHint}
          required
          maxLength={60}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value.trim())}
        />
      )}
      <div class="sides edit-sides">
        <div class="main-side">
          <CodeEditor
            label={edit.text}
            text={text}
            language={{ schema, templates }}
            issues={isCurrent ? (checked?.result?.issues ?? noIssues) : noIssues}
            isLocked={isBusy}
            onChange={(newText) => change(newText, base)}
            onReady={setEditor}
          />
          <div class="check" role="status">
            <Status checked={checked} isCurrent={isCurrent} />
          </div>
          {isCurrent && (
            <IssueList issues={checked?.result?.issues ?? noIssues} onGoTo={(issue) => editor?.goTo(issue)} />
          )}
          {message && <Alert tone={message.tone}>{message.text}</Alert>}
          <div class="form-actions">
            <Button tone="main" isBusy={isBusy} onClick={() => void save()}>
              {newest ? edit.save(newest.version + 1) : edit.saveNew}
            </Button>
            {isChanged && !isBusy && (
              <Button onClick={() => replace(loaded.text, loaded.newest?.digest)}>{edit.discard}</Button>
            )}
          </div>
          <SimulatePanel name={name} text={text} />
        </div>
        <div class="side">
          {isEarlier && <p class="soft">{texts.diagram.ofEarlierText}</p>}
          <Diagram label={texts.diagram.ofText} svg={svg} missing={texts.diagram.notDrawable} />
          <StepsPanel definition={definition} templates={templates} />
        </div>
      </div>
      {isConflict && (
        <ConflictDialog
          name={name}
          text={text}
          onClose={() => setConflict(false)}
          onKeep={(version) => {
            setConflict(false);
            setNewest(version);
            change(text, version.digest);
            setMessage({ tone: 'info', text: edit.conflict.kept(version.version) });
          }}
          onTake={(version, newText) => {
            setConflict(false);
            setNewest(version);
            replace(newText, version.digest);
          }}
        />
      )}
    </View>
  );
}
