import type { ComponentChildren, TargetedInputEvent } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  label: ComponentChildren;
  hint?: ComponentChildren;
}

const hintId = (id: string, hint: ComponentChildren) => (hint ? `${id}-hint` : undefined);

function Field({ id, label, hint, children }: FieldProps & { id: string; children: ComponentChildren }) {
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      {children}
      {hint && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface ControlProps<Control extends HTMLElement> extends FieldProps {
  value: string;
  onInput: (event: TargetedInputEvent<Control>) => void;
}

interface TextFieldProps extends ControlProps<HTMLInputElement> {
  type?: 'text' | 'password' | 'search';
  required?: boolean;
  autofocus?: boolean;
}

/** A line of text with its label and a hint. */
export function TextField({ label, hint, type = 'text', ...rest }: TextFieldProps) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint}>
      <input
        {...rest}
        // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- tsc needs it: the props are a union over `type`
        type={type as 'text'}
        class="field-control"
        id={id}
        autocapitalize="none"
        autocomplete="off"
        spellcheck={false}
        aria-describedby={hintId(id, hint)}
      />
    </Field>
  );
}

interface TextAreaProps extends ControlProps<HTMLTextAreaElement> {
  rows: number;
}

/** A text of several lines with its label and a hint. */
export function TextArea({ label, hint, ...rest }: TextAreaProps) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint}>
      <textarea {...rest} class="field-control" id={id} spellcheck={false} aria-describedby={hintId(id, hint)} />
    </Field>
  );
}
