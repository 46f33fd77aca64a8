import { useEffect, useRef } from 'preact/hooks';
import type { LocatedIssue } from '../data';
import { useFlowsTexts } from '../flows-texts';
import type { FlowLanguage } from './complete';
import type { Editor } from './create-editor';

interface CodeEditorProps {
  label: string;
  /** The first text. Later changes of this value do nothing. */
  text: string;
  language: FlowLanguage;
  issues: readonly LocatedIssue[];
  onChange: (text: string) => void;
  onReady: (editor: Editor) => void;
}

/** The text editor. Its code loads when it is shown first. */
export function CodeEditor({ label, text, language, issues, onChange, onReady }: CodeEditorProps) {
  const { edit } = useFlowsTexts();
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor>(undefined);
  const props = useRef({ language, issues, onChange, onReady });
  props.current = { language, issues, onChange, onReady };
  useEffect(() => {
    let isGone = false;
    void import('./create-editor').then(({ createEditor }) => {
      if (isGone || !place.current) return;
      editor.current = createEditor(place.current, {
        ...{ label, text },
        language: () => props.current.language,
        onChange: (changed) => props.current.onChange(changed),
      });
      editor.current.showIssues(props.current.issues);
      props.current.onReady(editor.current);
    });
    return () => {
      isGone = true;
      editor.current?.destroy();
    };
    // An editor keeps its own text, so it is created once.
  }, []);
  useEffect(() => editor.current?.showIssues(issues), [issues]);
  return (
    <div>
      <div class="editor" ref={place} />
      <p class="soft small">{edit.keys}</p>
    </div>
  );
}
