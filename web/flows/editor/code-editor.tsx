import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { useLoaded } from '../../app/use-loaded';
import type { LocatedIssue } from '../data';
import { useFlowsTexts } from '../flows-texts';
import { LoadFailure } from '../parts/load-failure';
import type { FlowLanguage } from './complete';
import type { Editor } from './create-editor';

interface CodeEditorProps {
  label: string;
  /** The text when the editor is loaded. Later changes of this value do nothing. */
  text: string;
  language: FlowLanguage;
  issues: readonly LocatedIssue[];
  /** Whether the text cannot be changed now. */
  isLocked: boolean;
  onChange: (text: string) => void;
  onReady: (editor: Editor) => void;
}

/** The text editor. The code of the editor loads when a page first shows the editor. */
export function CodeEditor(props: CodeEditorProps) {
  const { edit } = useFlowsTexts();
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor>(undefined);
  const newest = useRef(props);
  newest.current = props;
  const { label, text, issues, isLocked, onReady } = props;
  const { value: code, error, reload } = useLoaded('', () => import('./create-editor'));
  // A layout effect runs before the browser handles another event. So no change of the text is missed.
  useLayoutEffect(() => {
    if (!code || !place.current) return undefined;
    const created = code.createEditor(place.current, {
      ...{ label, text },
      language: () => newest.current.language,
      onChange: (changed) => newest.current.onChange(changed),
    });
    editor.current = created;
    onReady(created);
    return () => created.destroy();
    // An editor keeps its own text, so it is created once.
  }, [code]);
  useEffect(() => editor.current?.showIssues(issues), [code, issues]);
  return (
    <div>
      {error !== undefined && <LoadFailure onRetry={reload} />}
      <div class="editor" ref={place} inert={isLocked} />
      <p class="soft small">{edit.keys}</p>
    </div>
  );
}
