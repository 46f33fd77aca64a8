import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { history, historyKeymap, standardKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, nextDiagnostic, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { h, render } from 'preact';
import { TextWithCode } from '../../kit/content';
import type { LocatedIssue } from '../data';
import { completeFlow, type FlowLanguage } from './complete';

/** The text editor of a flow, for the rest of the page. */
export interface Editor {
  text: () => string;
  replaceText: (text: string) => void;
  /** Marks the issues of the current text. */
  showIssues: (issues: readonly LocatedIssue[]) => void;
  /** Moves the focus and the cursor to an issue. */
  goTo: (issue: LocatedIssue) => void;
  destroy: () => void;
}

export interface EditorOptions {
  label: string;
  text: string;
  language: () => FlowLanguage;
  onChange: (text: string) => void;
}

const colors = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--code-name)' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: tags.number, color: 'var(--code-number)' },
  { tag: [tags.bool, tags.null], color: 'var(--code-keyword)' },
]);

const theme = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--code)', fontSize: '0.8125rem', height: '100%' },
  '&.cm-focused': { outline: '3px solid var(--strong)', outlineOffset: '-3px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--code)', color: 'var(--soft)', borderRight: '1px solid var(--faint)' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--strong) 7%, transparent)' },
  '.cm-content ::selection': { backgroundColor: 'color-mix(in srgb, var(--info) 28%, transparent)' },
  '.cm-tooltip': { backgroundColor: 'var(--card)', color: 'var(--ink)', border: '1px solid var(--line)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--strong)', color: 'var(--on-strong)' },
  '.cm-completionInfo': { maxWidth: '22rem', whiteSpace: 'pre-wrap', fontFamily: 'system-ui, sans-serif' },
  // By default, the two marks of an issue are images in the style sheet. The content security policy forbids such images.
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--bad) 1.5px' },
  '.cm-lint-marker-error': { content: 'normal', borderRadius: '50%', backgroundColor: 'var(--bad)' },
  '.cm-matchingBracket': { backgroundColor: 'color-mix(in srgb, var(--strong) 22%, transparent)' },
});

/** The text of an issue beside its mark. The parts between backticks are code. */
function renderIssue(text: string): HTMLElement {
  const element = document.createElement('span');
  render(h(TextWithCode, { text }), element);
  return element;
}

/**
 * Creates a text editor for a flow in a shadow root. In a shadow root, CodeMirror adds its styles as a style sheet object. The content
 * security policy allows this object. In the document, CodeMirror would add an inline style, which the policy forbids.
 */
export function createEditor(place: HTMLElement, { label, text, language, onChange }: EditorOptions): Editor {
  const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        [lineNumbers(), lintGutter(), history(), highlightActiveLine(), EditorView.lineWrapping],
        [json(), indentUnit.of('  '), indentOnInput(), bracketMatching(), closeBrackets()],
        [syntaxHighlighting(colors), theme],
        autocompletion({ override: [completeFlow(language)], icons: false }),
        // The editor does not use the Tab key, so that a user can leave the editor with the keyboard.
        keymap.of([...closeBracketsKeymap, ...standardKeymap, ...historyKeymap, ...completionKeymap]),
        keymap.of([{ key: 'F8', run: nextDiagnostic }]),
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  const offsetOf = (line: number, column: number) => {
    const { from, to } = view.state.doc.line(Math.min(line, view.state.doc.lines));
    return Math.min(from + column - 1, to);
  };
  const rangeOf = ({ line, column, endLine, endColumn }: LocatedIssue) => ({
    from: offsetOf(line, column),
    to: offsetOf(endLine, endColumn),
  });
  return {
    text: () => view.state.doc.toString(),
    replaceText: (insert) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert } }),
    showIssues: (issues) => {
      const diagnostics = issues.map((issue): Diagnostic => {
        const message = `${issue.message} ${issue.fix}`;
        const renderMessage = () => renderIssue(message);
        return { ...rangeOf(issue), severity: 'error', source: issue.code, message, renderMessage };
      });
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    goTo: (issue) => {
      const { from, to } = rangeOf(issue);
      view.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}
