import type { ComponentChildren, Ref, TargetedInputEvent } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  label: ComponentChildren;
  /** A text below the field about what to enter. */
  hint?: ComponentChildren;
  /** What is wrong with the value. */
  error?: string | undefined;
}

const hintId = (id: string, hint: ComponentChildren) => (hint ? `${id}-hint` : undefined);
const errorIdOf = (id: string, error: string | undefined) => (error === undefined ? undefined : `${id}-error`);

/** The ids of elements that describe a control; undefined if there is none. */
const describedBy = (...ids: readonly (string | undefined)[]) =>
  ids.filter((id) => id !== undefined).join(' ') || undefined;

function Field({ id, label, hint, error, children }: FieldProps & { id: string; children: ComponentChildren }) {
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
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`}>
          {error}
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
  /** Which saved value the browser may suggest. By default, it suggests none. */
  autocomplete?: 'username' | 'current-password';
  maxLength?: number;
  inputRef?: Ref<HTMLInputElement>;
}

/** A line of text with its label and a hint. */
export function TextField({ label, hint, error, type = 'text', autocomplete, inputRef, ...rest }: TextFieldProps) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <input
        {...rest}
        // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- tsc needs it: the props are a union over `type`
        type={type as 'text'}
        class="field-control"
        id={id}
        ref={inputRef ?? null}
        autocapitalize="none"
        autocomplete={autocomplete ?? 'off'}
        spellcheck={false}
        aria-invalid={error === undefined ? undefined : 'true'}
        aria-describedby={describedBy(errorIdOf(id, error), hintId(id, hint))}
      />
    </Field>
  );
}

interface TextAreaProps extends Omit<ControlProps<HTMLTextAreaElement>, 'error'> {
  rows: number;
  /** Whether the text is code. Code has a font with equal widths, and no spell check. */
  isCode?: boolean;
  /** The id of an element that says what is wrong with the text. */
  errorId?: string | undefined;
  inputRef?: Ref<HTMLTextAreaElement>;
}

/** A text of several lines with its label and a hint. */
export function TextArea({ label, hint, isCode = false, errorId, inputRef, ...rest }: TextAreaProps) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint}>
      <textarea
        {...rest}
        class={isCode ? 'field-control field-code' : 'field-control'}
        id={id}
        ref={inputRef ?? null}
        spellcheck={!isCode}
        aria-describedby={describedBy(errorId, hintId(id, hint))}
      />
    </Field>
  );
}

interface SelectFieldProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
  /** Whether the field is small and has no visible label, for example in a bar. */
  isSmall?: boolean;
}

/** One value out of a list. */
export function SelectField({ label, value, options, onChange, isSmall = false }: SelectFieldProps) {
  const id = useId();
  const select = (
    <select
      class={isSmall ? 'field-control field-small' : 'field-control'}
      id={id}
      aria-label={isSmall ? label : undefined}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {options.map((option) => (
        <option value={option.value} selected={option.value === value}>
          {option.label}
        </option>
      ))}
    </select>
  );
  return isSmall ? (
    select
  ) : (
    <Field id={id} label={label}>
      {select}
    </Field>
  );
}
